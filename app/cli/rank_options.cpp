#include "cli/rank_options.h"

#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/exchange_links.h"
#include "debug/debugger.h"
#include "debug/stepped_ranks_text.h"
#include "distributed/rank_process.h"
#include "io/communication_text.h"
#include "io/rank_timeline.h"
#include "io/ranks/ranks_text.h"
#include "io/report.h"
#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"
#include "io/text_report.h"
#include "ops/collectives.h"
#include "record/options/option_table.h"
#include "record/options/remote_model.h"
#include "session/ranks/compared_ranks.h"
#include "session/ranks/rank_debuggers.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/file.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace aotscope {

namespace {

nlohmann::json reportOf(const RankRun& run) {
    return makeReport(run.options, *run.session->record(), &run.check, run.timingOrNull());
}

/// `compared`: null if not compared; `timelines`: empty if not timed.
void writeReports(const std::filesystem::path& file, nlohmann::json ranks, const Table& checks,
                  const RankComparison* compared, const std::vector<RankTimeline>& timelines) {
    nlohmann::json report = {{"schema", kReportSchema}, {"ranks", std::move(ranks)}, {checks.key, tableJson(checks)}};
    if (compared) report["compared"] = rankComparisonJson(*compared);
    if (!timelines.empty()) report["timelines"] = tableJson(rankTimelineTable(timelines));
    writeFileAtomically(file, jsonText(report));
}

/// Empty for a single rank.
std::string comparedText(const RankComparison& compared) {
    if (compared.ranks.size() < 2) return {};
    if (compared.differences.empty())
        return "the programs of all " + std::to_string(compared.ranks.size()) + " ranks are alike\n\n";
    return "the programs of the ranks differ:\n" + rankDifferencesText(compared.differences, compared.ranks) + "\n";
}

/// The first value of a rank that differs from eager's; the run of all ranks is at its start.
std::string firstDifferenceText(Debugger& run) {
    run.compareWithEager({});
    run.run({});
    const DebugStop& stop = run.lastStop();
    const Node* node = run.stoppedAt();
    if (stop.reason != DebugStop::Reason::difference || !node)
        return "with plain kernels, no value of the graphs differs from eager: the difference comes from a compiler or "
               "from the wrapper around the graphs\n";
    return "first difference: " + stop.text + "\n" + rankValuesText(run.values(stop.graph, node->name()));
}

/// `first`: the run of rank 0.
void printRanks(const RankRun& first, const Table& checks) {
    std::cout << summaryText(*first.session->record());
    const Links links = linksNamed(first.options.links);
    std::cout << "\n"
              << communicationText(
                     communicationOf(*first.session->record(), first.options.world, links, first.options.device),
                     first.options.world, links)
              << "\n"
              << tableText(checks);
}

/// Measured on rank 0, without the turns of the others, beside a simulation with the costs of ranks in this process.
void printAgainstMeasured(const RankRun& first, const ProcessCosts& costs) {
    const Communication found =
        communicationOf(*first.session->record(), first.options.world, costs.links, costs.machine);
    std::cout << "\n" << againstMeasuredText(againstMeasured(found, *first.timing), costs.links);
}

/// For ranks that were timed.
std::vector<RankTimeline> timelinesOf(const std::vector<RankRun>& runs) {
    std::vector<TimedRank> timed;
    for (const RankRun& run : runs)
        if (run.timing) timed.push_back({run.session->record(), run.options.world, &*run.timing});
    return rankTimelines(timed);
}

/// Whether it exchanges tensors with other ranks.
bool exchanges(const RankRun& run) {
    const CompileRecord& record = *run.session->record();
    const auto graph = record.graph(record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference);
    return graph && std::ranges::any_of(graph->nodes(), [](const Node* node) { return communicates(node->op()); });
}

/// Fails before ranks run in vain. `exchanged`: whether any rank exchanges tensors.
void requireTimeline(const std::filesystem::path& file, bool exchanged) {
    if (!exchanged) throw UsageError("--timeline " + file.string() + ": the graphs have no collectives");
}

/// The estimated and measured times of one rank, for writeTimeline, as rankTraceEvents has them.
nlohmann::json eventsOf(const RankRun& run, const RankTimeline* measured) {
    const WorldShape& world = run.options.world;
    const Communication estimated =
        communicationOf(*run.session->record(), world, linksNamed(run.options.links), run.options.device);
    return rankTraceEvents(static_cast<std::size_t>(world.rank), static_cast<std::size_t>(world.size), estimated,
                           measured);
}

void writeTimeline(const std::filesystem::path& file, const std::vector<nlohmann::json>& events) {
    writeFileAtomically(file, jsonText(joinedTrace(events)));
}

/// What a rank in another process sends to rank 0.
struct ToldRank {
    RankRow row;
    std::optional<RankTimeline> timeline;
    nlohmann::json report;  ///< null: not wanted
    nlohmann::json events;  ///< empty: not wanted
};

nlohmann::json toldJson(const RankRun& run, const RankFiles& files) {
    const RankTimeline* timeline = run.timeline ? &*run.timeline : nullptr;
    return {{"row", tableJson(rankCheckTable({rankRow(run.check, run.timingOrNull())})).front()},
            {"timeline", timeline ? tableJson(rankTimelineTable({*timeline})).front() : nlohmann::json()},
            {"report", files.report.empty() ? nlohmann::json() : reportOf(run)},
            {"events", files.timeline.empty() ? nlohmann::json::array() : eventsOf(run, timeline)}};
}

ToldRank toldFrom(const std::string& text) {
    const nlohmann::json told = messageIn(text);
    ToldRank rank{rankRowFrom(objectOf(told, "row")), {}, memberOf(told, "report"), {}};
    rank.events = listOf(told, "events");
    const bool sound = rank.events.empty() || rank.events.size() == 2;
    if (!sound) throw Error("sends " + std::to_string(rank.events.size()) + " lists of events; expected two");
    if (!memberOf(told, "timeline").is_null()) rank.timeline = rankTimelineFrom(objectOf(told, "timeline"));
    return rank;
}

}  // namespace

void RankOptions::addTo(CLI::App& app) {
    app.add_option("--ranks", count_,
                   "run all N ranks of a distributed program in this process and check each against "
                   "eager; {rank} in the names of MODEL, --inputs, --weights and --values stands for a "
                   "rank's number")
        ->type_name("N")
        ->check(CLI::Range(1, static_cast<int>(kMostRankThreads)));
    launched_.addTo(app);
}

void RankOptions::check(const Options& options) {
    if (count_ == 0) launched_.check(options);
    if (!given()) return;
    options.use({"--ranks", "--rank-timeout", "--check", "--bisect", "--time", "--warm-up", "--values", "--report",
                 "--timeline", "--csv"});
    const std::string ranks = count_ > 0 ? "--ranks runs " + std::to_string(count_) : launched_.text();
    for (const auto& [name, why] : options.given->unused()) {
        const bool ofCommand = std::ranges::find(optionTable(), name, &OptionEntry::name) == optionTable().end();
        if (ofCommand || name == "--at")
            throw UsageError(name + ": takes one rank, and " + ranks +
                             "; leave it out, or simulate one rank with --world-size and --rank");
    }
}

int RankOptions::run(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const {
    const std::filesystem::path& report = files.report;
    if (launched_.areThere()) return runLaunched(options, job, files, bisect);
    RankComparison compared;
    std::optional<ProcessCosts> costs;
    const auto compare = [&](const std::vector<RankRun>& compiled) {
        if (!files.timeline.empty()) requireTimeline(files.timeline, std::ranges::any_of(compiled, exchanges));
        Subcommand::requireUsed(options);
        compared = compareRankRuns(compiled);
        std::cout << comparedText(compared) << std::flush;  // in case they wait for each other in vain
        if (job.timing && !isRemote(options.model))
            costs = costsOfThisProcess(compiled.size(), ExchangedIn::turns, machineModel());
    };
    const std::vector<RankRun> runs = checkRanks(options, static_cast<std::size_t>(count_), job, {}, compare);
    std::vector<RankRow> rows;
    nlohmann::json reports = nlohmann::json::array();
    for (const RankRun& run : runs) {
        rows.push_back(rankRow(run.check, run.timingOrNull()));
        if (!report.empty()) reports.push_back(reportOf(run));
    }
    const Table checks = rankCheckTable(rows);
    printRanks(runs.front(), checks);
    writeCsv(files.csv, checks);
    if (costs) printAgainstMeasured(runs.front(), *costs);
    const std::vector<RankTimeline> timelines = timelinesOf(runs);
    if (!timelines.empty()) std::cout << "\n" << rankTimelinesText(timelines);
    if (!files.timeline.empty()) {
        std::vector<nlohmann::json> events;
        for (std::size_t rank = 0; rank < runs.size(); ++rank)
            events.push_back(eventsOf(runs[rank], timelines.empty() ? nullptr : &timelines[rank]));
        writeTimeline(files.timeline, events);
    }
    const bool equal = std::ranges::all_of(rows, &RankRow::ok);
    if (bisect && !equal) std::cout << firstDifferenceText(*debugRanks(options, runs, {}));
    if (!report.empty()) writeReports(report, std::move(reports), checks, &compared, timelines);
    return equal ? kFine : kDifference;
}

int RankOptions::runLaunched(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const {
    return launched_.run(options, [&](RankProcess& process) {
        const auto compiled = [&](const RankRun& mine) {
            Subcommand::requireUsed(mine.options);
            if (!files.timeline.empty()) requireTimeline(files.timeline, process.anyRank(exchanges(mine)));
        };
        const RankRun run = checkRank(options, process, job, compiled);
        std::vector<RankRow> rows;
        std::vector<RankTimeline> timelines;
        nlohmann::json reports = nlohmann::json::array();
        std::vector<nlohmann::json> events;
        for (const std::string& text : process.gather(jsonLine(toldJson(run, files)))) {
            ToldRank rank = readFromRank(rows.size(), [&] { return toldFrom(text); });
            rows.push_back(std::move(rank.row));
            if (rank.timeline) timelines.push_back(*std::move(rank.timeline));
            reports.push_back(std::move(rank.report));
            events.push_back(std::move(rank.events));
        }
        if (process.isFirst()) {
            const Table checks = rankCheckTable(rows);
            printRanks(run, checks);
            writeCsv(files.csv, checks);
            if (!timelines.empty()) std::cout << "\n" << rankTimelinesText(timelines);
            if (!files.timeline.empty()) writeTimeline(files.timeline, events);
            if (!files.report.empty()) writeReports(files.report, std::move(reports), checks, nullptr, timelines);
        }
        const bool differs = process.anyRank(run.check.verdict() != CheckVerdict::equal);
        if (bisect && differs)
            debugProcesses(process, {options}, [](const OpenRanks& open) {
                std::cout << firstDifferenceText(*open(0));
                return kFine;
            });
        return differs ? kDifference : kFine;
    });
}

}  // namespace aotscope
