#include "cli/engine/run_ranks.h"

#include "cli/engine/rank_flags.h"
#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/exchange_links.h"
#include "cost/known_machines.h"
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
    return makeReport(run.options, *run.session->record(), machineOf(run.options.device),
                      {&run.check, run.timingOrNull()});
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
              << communicationText(communicationOf(*first.session->record(), first.options.world, links,
                                                   machineOf(first.options.device)),
                                   first.options.world, links)
              << "\n"
              << tableText(checks);
}

/// Of ranks that took turns.
void addTimelines(std::vector<RankRun>& runs) {
    std::vector<TimedRank> timed;
    for (const RankRun& run : runs)
        if (run.timing) timed.push_back({run.session->record(), run.options.world, &*run.timing});
    std::vector<RankTimeline> timelines = rankTimelines(timed);
    for (std::size_t rank = 0; rank < timelines.size(); ++rank) runs[rank].timeline = std::move(timelines[rank]);
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

/// The estimated and measured times of one rank, for joinedTrace.
nlohmann::json eventsOf(const RankRun& run) {
    const WorldShape& world = run.options.world;
    const Communication estimated =
        communicationOf(*run.session->record(), world, linksNamed(run.options.links), machineOf(run.options.device));
    return rankTraceEvents(static_cast<std::size_t>(world.rank), static_cast<std::size_t>(world.size), estimated,
                           run.timeline ? &*run.timeline : nullptr);
}

/// What is printed and written of a rank.
struct ToldRank {
    RankRow row;
    std::optional<RankTimeline> timeline;
    nlohmann::json report;  ///< null: not wanted
    nlohmann::json events;  ///< empty: not wanted
};

ToldRank toldOf(const RankRun& run, const RankFiles& files) {
    return {rankRow(run.check, run.timingOrNull()), run.timeline,
            files.report.empty() ? nlohmann::json() : reportOf(run),
            files.timeline.empty() ? nlohmann::json::array() : eventsOf(run)};
}

nlohmann::json toldJson(const ToldRank& rank) {
    return {{"row", tableJson(rankCheckTable({rank.row})).front()},
            {"timeline", rank.timeline ? tableJson(rankTimelineTable({*rank.timeline})).front() : nlohmann::json()},
            {"report", rank.report},
            {"events", rank.events}};
}

ToldRank toldFrom(const nlohmann::json& told) {
    ToldRank rank{rankRowFrom(objectOf(told, "row")), {}, memberOf(told, "report"), {}};
    rank.events = listOf(told, "events");
    const bool sound = rank.events.empty() || rank.events.size() == 2;
    if (!sound) throw Error("sends " + std::to_string(rank.events.size()) + " lists of events; expected two");
    if (!memberOf(told, "timeline").is_null()) rank.timeline = rankTimelineFrom(objectOf(told, "timeline"));
    return rank;
}

/// Fails before ranks are compiled in vain.
void requirePossible(const RankFlags& flags, const Options& options, const RankJob& job) {
    const std::size_t count = flags.count();
    if (count > 1) requireOwnFiles("--values", job.values, "values");
    if (count > 1 && !flags.areLaunched() && job.timing && options.device != "cpu")
        throw UsageError("--time: the " + std::to_string(count) +
                         " ranks of one process share a GPU and its time; start each in a separate process with "
                         "torchrun, mpirun or srun");
}

/// `compared`: null if not compared.
void tell(const RankRun& first, std::vector<ToldRank> ranks, const std::optional<ProcessCosts>& costs,
          const RankFiles& files, const RankComparison* compared) {
    std::vector<RankRow> rows;
    std::vector<RankTimeline> timelines;
    nlohmann::json reports = nlohmann::json::array();
    std::vector<nlohmann::json> events;
    for (ToldRank& rank : ranks) {
        rows.push_back(std::move(rank.row));
        if (rank.timeline) timelines.push_back(*std::move(rank.timeline));
        reports.push_back(std::move(rank.report));
        events.push_back(std::move(rank.events));
    }
    const Table checks = rankCheckTable(rows);
    printRanks(first, checks);
    writeCsv(files.csv, checks);
    if (costs) printAgainstMeasured(*first.session->record(), first.options, *first.timing, *costs);
    if (!timelines.empty()) std::cout << "\n" << rankTimelinesText(timelines);
    if (!files.timeline.empty()) writeFileAtomically(files.timeline, jsonText(joinedTrace(events)));
    if (!files.report.empty()) writeReports(files.report, std::move(reports), checks, compared, timelines);
}

}  // namespace

void printAgainstMeasured(const CompileRecord& record, const Options& options, const TimingResult& timing,
                          const ProcessCosts& costs) {
    const Communication found = communicationOf(record, options.world, costs.links, [&] { return costs.machine; });
    std::cout << "\n" << againstMeasuredText(againstMeasured(found, timing), costs.links);
}

void requireOptionsOfRanks(const RankFlags& ranks, const Options& options) {
    options.use({"--check", "--bisect", "--time", "--warm-up", "--values", "--report", "--timeline", "--csv"});
    for (const auto& [name, why] : options.given->unused()) {
        const bool ofCommand = std::ranges::find(optionTable(), name, &OptionEntry::name) == optionTable().end();
        if (ofCommand || name == "--at")
            throw UsageError(name + ": takes one rank, and " + ranks.text() +
                             "; leave it out, or simulate one rank with --world-size and --rank");
    }
}

int runRanks(const RankFlags& flags, const Options& options, const RankJob& job, const RankFiles& files, bool bisect) {
    return flags.run(options, [&](RankProcess* process) {
        requirePossible(flags, options, job);
        const auto onAny = [&](bool mine) { return process ? process->anyRank(mine) : mine; };
        const auto ranks = flags.compile(options, process);
        if (!files.timeline.empty())
            requireTimeline(files.timeline, onAny(std::ranges::any_of(ranks->runs(), exchanges)));
        Subcommand::requireUsed(options);
        std::optional<RankComparison> compared;
        std::optional<ProcessCosts> costs;
        if (!process) {
            compared = compareRankRuns(ranks->runs());
            std::cout << comparedText(*compared) << std::flush;  // in case they wait for each other in vain
            if (job.timing && !isRemote(options.model))
                costs = costsOfThisProcess(flags.count(), ExchangedIn::turns, machineModel());
        }
        std::vector<RankRun> runs = ranks->run(job, {});
        if (!process) addTimelines(runs);
        std::vector<ToldRank> told;
        for (const RankRun& run : runs) told.push_back(toldOf(run, files));
        told = ofAllRanks(process, std::move(told), toldJson, toldFrom);
        if (!told.empty()) tell(runs.front(), std::move(told), costs, files, compared ? &*compared : nullptr);
        const bool differs = onAny(
            std::ranges::any_of(runs, [](const RankRun& run) { return run.check.verdict() != CheckVerdict::equal; }));
        const auto printFirst = [](const std::shared_ptr<Debugger>& run) {
            std::cout << firstDifferenceText(*run);
            return kFine;
        };
        if (bisect && differs && process)
            debugProcesses(*process, {options}, [&](const OpenRanks& open) { return printFirst(open(0)); });
        else if (bisect && differs) printFirst(ranks->debug({}));
        return differs ? kDifference : kFine;
    });
}

}  // namespace aotscope
