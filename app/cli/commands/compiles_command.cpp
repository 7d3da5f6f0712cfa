#include "cli/engine/trace_questions.h"
#include "cli/exit_code.h"
#include "cli/option_flags.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "io/ranks/compare_logs.h"
#include "io/ranks/ranks_text.h"
#include "io/report.h"
#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/trace/trace_follower.h"
#include "io/trace/trace_log_json.h"
#include "io/trace/trace_log_text.h"
#include "load/trace_log/rank_logs.h"
#include "record/options/remote_model.h"
#include "session/log_finder.h"
#include "session/open/read_printed.h"
#include "support/error.h"
#include "support/json/json_text.h"
#include "support/names.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <thread>

namespace aotscope {

namespace {

/// The graphs of a text, and what happened.
void addPrinted(Table& table, const std::string& file, const std::vector<PrintedSummary>& compiles,
                const ReadTrace& told, const std::string& compileId) {
    const auto addEvent = [&](const std::string& id, const std::string& what) {
        table.add(file, id, Table::Cell(), Table::Cell(), what);
    };
    for (const auto& compile : compiles) {
        for (const auto& [graph, calls] : compile.graphs) table.add(file, compile.id, graph, calls, Table::Cell());
        if (!compile.error.empty()) addEvent(compile.id, compile.error);
    }
    for (std::size_t i = 0; i < told.stories.size(); ++i)
        for (const std::string& happened : happenings(told.stories[i]))
            if (const std::string& id = told.log->compiles[i].id; compileId.empty() || compileId == id)
                addEvent(id, happened);
}

nlohmann::json printedJson(const std::vector<PrintedSummary>& compiles) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& compile : compiles) {
        nlohmann::json graphs = nlohmann::json::array();
        for (const auto& [graph, calls] : compile.graphs) graphs.push_back({{"graph", graph}, {"operations", calls}});
        list.push_back({{"id", compile.id}, {"graphs", std::move(graphs)}, {"error", compile.error}});
    }
    return list;
}

/// The logs of TORCH_TRACE in a folder, or a log; empty for what may hold printed graphs.
std::vector<FoundTrace> tracesAt(const std::string& place, LogFinder& finder) {
    std::vector<FoundTrace> traces;
    for (const FoundLog& log : finder.at(place, {})) traces.push_back({log.files->readLog(log.path, {}), log.model});
    if (traces.empty() && isRemote(place))
        throw Error("'" + modelThere(place) +
                    "' is not a TORCH_TRACE log; expected a file such as dedicated_log_torch_trace_rank_0.log");
    return traces;
}

class CompilesCommand final : public Subcommand {
public:
    explicit CompilesCommand(CLI::App& parent);

    void check(Options& options) override;
    int run(const Options& options) override;

private:
    void useOptions(const std::vector<std::string>& texts, bool traces) const;
    void printList(const std::vector<std::string>& texts, const std::vector<FoundTrace>& traces) const;
    void printTexts(const std::vector<std::string>& texts, const std::vector<FoundTrace>& traces) const;
    template <typename Source>
    std::vector<PrintedSummary> graphsIn(const Source& source, const ReadTrace& told) const;
    void printTraces(const std::vector<FoundTrace>& traces) const;
    int follow() const;

    std::vector<std::string> logs_;
    std::string command_;  ///< instead of ssh; empty: ssh
    TraceQuestion question_;
    TableFlags format_;
    bool graphs_ = false, follows_ = false;
    double follow_ = 0;
};

CompilesCommand::CompilesCommand(CLI::App& parent)
    : Subcommand(parent, "compiles", "list the compilations in logs, and their causes",
                 "aotscope compiles dedicated_log_torch_trace_rank_0.log\n  aotscope compiles trace_folder --why "
                 "recompile",
                 Takes::noModel) {
    app_.add_option(
            "LOG", logs_,
            "a file written with TORCH_LOGS, TORCH_TRACE or print_readable, a folder of TORCH_TRACE, or a log or "
            "folder of TORCH_TRACE on another machine (ssh://HOST/PATH); several logs are compared as ranks")
        ->required();
    addOption(app_, optionNamed("--remote-command"))->each([this](const std::string& command) { command_ = command; });
    app_.add_option("--why", question_.why, "explain recompilations, graph breaks, cache misses or saved tensors")
        ->check(CLI::IsMember(whyQuestions()));
    std::vector<std::string> lists;
    for (const TraceList& list : traceLists()) lists.emplace_back(list.name);
    app_.add_option("--list", question_.list, "print this list")->check(CLI::IsMember(lists));
    app_.add_option("--record", question_.record, "print the records of this name (see --list records)")
        ->type_name("NAME");
    app_.add_option("--compile-id", question_.compileId, "only this compilation")->type_name("ID");
    app_.add_flag("--graphs", graphs_, "list the graphs of every compilation with their operations");
    format_.addTo(app_);
    app_.add_option("--follow", follow_,
                    "print new entries while a log is written, until none is added for this many seconds; default: "
                    "until interrupted")
        ->type_name("[SECONDS]")
        ->expected(0, 1);
}

void CompilesCommand::check(Options& options) {
    question_.options = options;
    follows_ = given("--follow");
    const int asked = (question_.why.empty() ? 0 : 1) + (question_.list.empty() ? 0 : 1) +
                      (question_.record.empty() ? 0 : 1) + (graphs_ ? 1 : 0) + (follows_ ? 1 : 0);
    if (asked > 1) throw UsageError("--why, --list, --record, --graphs and --follow: give one of them");
    if (!format_.text() && !question_.asksList() && (question_.asksOne() || follows_))
        throw UsageError(std::string(format_.json() ? "--json" : "--csv") +
                         " prints all compilations, a list or the saved values; use it without --follow, --record "
                         "and --why, except --why saved");
    if (!command_.empty())
        for (std::string& log : logs_) log = throughCommand(log, command_);
    if (follows_ && logs_.size() > 1) throw UsageError("--follow takes one log or one folder");
    if (follows_ && isRemote(logs_.front()))
        throw UsageError("--follow reads logs on this machine; run 'aotscope compiles --follow' on the one of the log");
}

int CompilesCommand::run(const Options& /*options*/) {
    if (follows_) {
        requireUsed(question_.options, {"--follow"});
        return follow();
    }
    const auto engine = engineHere();
    LogFinder finder(*engine);
    std::vector<FoundTrace> traces;
    std::vector<std::string> texts;
    for (const std::string& place : logs_) {
        const auto found = tracesAt(place, finder);
        if (found.empty()) texts.push_back(place);
        std::ranges::copy(found, std::back_inserter(traces));
    }
    useOptions(texts, !graphs_ && !traces.empty());
    if (!format_.text() && (question_.asksList() || (format_.csv() && texts.empty() && !graphs_))) {
        printList(texts, traces);
        return kFine;
    }
    if (graphs_ || !texts.empty()) printTexts(texts, graphs_ ? traces : std::vector<FoundTrace>());
    if (!graphs_ && !traces.empty()) printTraces(traces);
    return kFine;
}

void CompilesCommand::useOptions(const std::vector<std::string>& texts, bool traces) const {
    const Options& options = question_.options;
    options.use({"--remote-command", "--compile-id", "--json", "--csv"});
    const std::string asked = question_.why + question_.list;
    if (traces || std::ranges::find(textQuestions(), asked) != textQuestions().end()) options.use({"--why", "--list"});
    if (traces) options.use("--record");
    else options.use("--graphs");
    if (traces && !texts.empty() && (format_.json() || (format_.csv() && !question_.asksList())))
        throw UsageError(std::string(format_.json() ? "--json" : "--csv") + ": '" + texts.front() +
                         "' is a text with printed graphs, the others are logs of TORCH_TRACE; give them apart");
    if (!texts.empty())
        for (const char* name : {"--why", "--list", "--record"})
            options.given->explain(name, "'" + texts.front() +
                                             "' is a text of TORCH_LOGS, which does not say that; record a log with "
                                             "TORCH_TRACE, which does");
    requireUsed(options);
}

void CompilesCommand::printList(const std::vector<std::string>& texts, const std::vector<FoundTrace>& traces) const {
    Table list = emptyList(question_);
    for (const std::string& text : texts) addRows(list, readText(text, question_), question_);
    for (const FoundTrace& trace : traces) addRows(list, readTrace(trace, question_, false), question_);
    format_.print(list, {{"schema", 1}});
}

/// Empty for a text without graphs. `told`: its compilations.
template <typename Source>
std::vector<PrintedSummary> CompilesCommand::graphsIn(const Source& source, const ReadTrace& told) const {
    std::vector<PrintedSummary> compiles;
    try {
        compiles = summarizePrinted(source, {});
    } catch (const Error&) {
        if (told.stories.empty()) throw;
    }
    std::vector<std::string> ids;
    for (const auto& compile : compiles) ids.push_back(compile.id);
    for (const auto& compile : told.log->compiles)
        if (std::ranges::count(ids, compile.id) == 0) ids.push_back(compile.id);
    const std::string& wanted = question_.compileId;
    if (!wanted.empty() && std::ranges::count(ids, wanted) == 0)
        throw UsageError("--compile-id " + wanted + ": '" + told.model + "' has no such compilation; it has " +
                         quotedNames(ids));
    if (!wanted.empty()) std::erase_if(compiles, [&](const auto& compile) { return compile.id != wanted; });
    return compiles;
}

/// The graphs that logs have printed.
void CompilesCommand::printTexts(const std::vector<std::string>& texts, const std::vector<FoundTrace>& traces) const {
    nlohmann::json logs = nlohmann::json::array();
    Table list = printedTable();
    const auto add = [&](const ReadTrace& told, const std::vector<PrintedSummary>& graphs) {
        const std::string file = told.log->path.filename().string();
        addPrinted(list, file, graphs, told, question_.compileId);
        if (format_.text()) std::cout << tableText(list), list.rows.clear();
        logs.push_back({{"file", file},
                        {"compilations", printedJson(graphs)},
                        {"logged", traceLogJson(*told.log, told.stories)["compilations"]}});
    };
    for (const std::string& text : texts) {
        const ReadTrace told = readText(text, question_);
        if (question_.asksOne()) std::cout << answerText(told, question_);
        else add(told, graphsIn(text, told));
    }
    for (const FoundTrace& trace : traces) {
        auto nothing = std::make_shared<TraceLog>();
        nothing->path = trace.log->path;
        const ReadTrace told{{std::move(nothing), trace.model}, {}};
        add(told, graphsIn(trace.log, told));
    }
    if (!format_.text()) format_.print(list, {{"schema", 1}}, std::move(logs));
}

void CompilesCommand::printTraces(const std::vector<FoundTrace>& traces) const {
    std::vector<std::shared_ptr<const TraceLog>> logs;
    for (const FoundTrace& trace : traces) logs.push_back(trace.log);
    // Several runs may have written into one folder: they are ranks only if they say so.
    const RankLogs ranks = logs_.size() > 1 ? RankLogs{logs, {}} : ranksAmong(logs);
    const auto names = logNames(ranks.logs);
    const bool compared =
        ranks.logs.size() > 1 && (logs_.size() > 1 || areRanks(ranks.logs)) && (format_.json() || !question_.asksOne());
    const auto differences = compared ? compareRankLogs(ranks.logs, {}) : std::vector<RankDifference>();
    nlohmann::json list = nlohmann::json::array();
    for (const FoundTrace& found : traces) {
        const ReadTrace trace = readTrace(found, question_, format_.json());
        if (format_.json()) {
            list.push_back(traceLogJson(*trace.log, trace.stories));
            continue;
        }
        std::cout << problemsText(*trace.log, trace.stories) << answerText(trace, question_);
    }
    if (format_.json()) {
        std::cout << jsonText(
            logs.size() == 1 ? list.front()
                             : nlohmann::json{{"schema", 1},
                                              {"logs", std::move(list)},
                                              {"differences", tableJson(rankDifferencesTable(differences, names))}});
        return;
    }
    if (!compared) return;
    std::cout << "\n" << rankDifferencesText(differences, names);
    if (!ranks.leftOut.empty()) std::cout << ranks.leftOut << "\n";
}

int CompilesCommand::follow() const {
    using Clock = std::chrono::steady_clock;
    constexpr auto pause = std::chrono::milliseconds(300);
    TraceFollower follower(logs_.front());
    for (auto last = Clock::now(); follow_ <= 0 || Clock::now() - last < std::chrono::duration<double>(follow_);) {
        const auto lines = follower.poll({});
        for (const std::string& line : lines) std::cout << line << "\n";
        std::cout.flush();
        if (!lines.empty()) last = Clock::now();
        std::this_thread::sleep_for(pause);
    }
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeCompilesCommand(CLI::App& parent) { return std::make_unique<CompilesCommand>(parent); }

}  // namespace aotscope
