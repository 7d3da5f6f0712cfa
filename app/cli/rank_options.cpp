#include "cli/rank_options.h"

#include "cli/exit_code.h"
#include "cost/exchange_links.h"
#include "debug/ranks_debugger.h"
#include "debug/stepped_ranks_text.h"
#include "distributed/rank_process.h"
#include "io/communication_text.h"
#include "io/rank_timeline.h"
#include "io/ranks_text.h"
#include "io/report.h"
#include "io/text_report.h"
#include "record/remote_model.h"
#include "session/compared_ranks.h"
#include "session/rank_runs.h"
#include "session/session.h"
#include "support/bounded_json.h"
#include "support/file.h"
#include "support/json_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string_view>

namespace aotscope {

namespace {

constexpr std::initializer_list<const char*> kOneRankOnly = {"--bisect", "--against", "--at",      "--save",
                                                             "--trace",  "--csv",     "--timeline"};
/// Of these, what ranks that are threads can do.
constexpr std::array<std::string_view, 2> kThreadsToo = {"--bisect", "--timeline"};

nlohmann::json reportOf(const RankRun& run) {
    return makeReport(run.options, *run.session->record(), &run.check, run.timingOrNull());
}

/// `compared`: null where nobody has compared them; `timelines`: empty where nothing was timed.
void writeReports(const std::filesystem::path& file, nlohmann::json ranks, const RankComparison* compared,
                  const std::vector<RankTimeline>& timelines = {}) {
    nlohmann::json report = {{"schema", kReportSchema}, {"ranks", std::move(ranks)}};
    if (compared) report["compared"] = rankComparisonJson(*compared);
    if (!timelines.empty()) report["timelines"] = rankTimelinesJson(timelines);
    writeFileAtomically(file, jsonText(report));
}

/// Empty for a single rank.
std::string comparedText(const RankComparison& compared) {
    if (compared.ranks.size() < 2) return {};
    if (compared.differences.empty())
        return "the programs of all " + std::to_string(compared.ranks.size()) + " ranks are alike\n\n";
    return "the programs of the ranks differ:\n" + rankDifferencesText(compared.differences, compared.ranks) + "\n";
}

/// The first value of a rank that differs from eager's, in a run of all of them.
std::string firstDifferenceText(const Options& options, const std::vector<RankRun>& runs) {
    const auto run = debugRanks(options, runs, {});
    run->compareWithEager({});
    run->run({});
    const DebugStop& stop = run->lastStop();
    const Node* node = run->stoppedAt();
    if (stop.reason != DebugStop::Reason::difference || !node)
        return "with plain kernels, no value of the graphs differs from eager's: a compiler, or what is around the "
               "graphs, makes the difference\n";
    return "first difference: " + stop.text + "\n" + rankValuesText(run->values(stop.graph, node->name()));
}

/// `first`: the run of rank 0.
void printRanks(const RankRun& first, const std::vector<RankRow>& rows) {
    std::cout << summaryText(*first.session->record());
    const Links links = linksNamed(first.options.links);
    std::cout << "\n"
              << communicationText(
                     communicationOf(*first.session->record(), first.options.world, links, first.options.device),
                     first.options.world, links)
              << "\n"
              << ranksText(rows);
}

/// Of rank 0, without the turns of the others, beside a simulation with what ranks of this process cost.
void printAgainstMeasured(const RankRun& first, const ProcessCosts& costs) {
    const Communication found =
        communicationOf(*first.session->record(), first.options.world, costs.links, costs.machine);
    std::cout << "\n" << againstMeasuredText(againstMeasured(found, *first.timing), costs.links);
}

/// Of ranks that were timed.
std::vector<RankTimeline> timelinesOf(const std::vector<RankRun>& runs) {
    std::vector<TimedRank> timed;
    for (const RankRun& run : runs)
        if (run.timing) timed.push_back({run.session->record(), run.options.world, &*run.timing});
    return rankTimelines(timed);
}

void writeTimelines(const std::filesystem::path& file, const std::vector<RankRun>& runs,
                    const std::vector<RankTimeline>& measured) {
    std::vector<Communication> estimated;
    for (const RankRun& run : runs)
        estimated.push_back(communicationOf(*run.session->record(), run.options.world, linksNamed(run.options.links),
                                            run.options.device));
    if (std::ranges::all_of(estimated, [](const Communication& rank) { return rank.graphs.empty(); }))
        throw UsageError("--timeline " + file.string() + ": the graphs have no collectives");
    writeFileAtomically(file, jsonText(communicationTrace(estimated, measured)));
}

}  // namespace

void RankOptions::addTo(CLI::App& app) {
    auto* ranks = app.add_option("--ranks", count_,
                                 "run all N ranks of a distributed program in this process and check each against "
                                 "eager; {rank} in the names of MODEL, --inputs, --weights and --values stands for a "
                                 "rank's number")
                      ->type_name("N")
                      ->check(CLI::Range(1, static_cast<int>(kMostRankThreads)));
    for (const std::string_view other : kOneRankOnly)
        if (std::ranges::count(kThreadsToo, other) == 0) ranks->excludes(app.get_option(std::string(other)));
    launched_.addTo(app);
}

void RankOptions::check(const CLI::App& app, const Options& options) {
    if (count_ == 0) launched_.check(app, options, kOneRankOnly);
}

int RankOptions::run(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const {
    const std::filesystem::path& report = files.report;
    if (launched_.areThere()) return runLaunched(options, job, report);
    RankComparison compared;
    std::optional<ProcessCosts> costs;
    const auto compare = [&](const std::vector<RankRun>& compiled) {
        compared = compareRankRuns(compiled);
        std::cout << comparedText(compared) << std::flush;  // in case that they wait for each other in vain
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
    printRanks(runs.front(), rows);
    if (costs) printAgainstMeasured(runs.front(), *costs);
    const std::vector<RankTimeline> timelines = timelinesOf(runs);
    if (!timelines.empty()) std::cout << "\n" << rankTimelinesText(timelines);
    if (!files.timeline.empty()) writeTimelines(files.timeline, runs, timelines);
    const bool equal = std::ranges::all_of(rows, &RankRow::ok);
    if (bisect && !equal) std::cout << firstDifferenceText(options, runs);
    if (!report.empty()) writeReports(report, std::move(reports), &compared, timelines);
    return equal ? kFine : kDifference;
}

int RankOptions::runLaunched(const Options& options, const RankJob& job, const std::filesystem::path& report) const {
    return launched_.run(options, [&](RankProcess& process) {
        const RankRun run = checkRank(options, process, job);
        nlohmann::json mine = {{"row", rankRowJson(rankRow(run.check, run.timingOrNull()))}};
        if (!report.empty()) mine["report"] = reportOf(run);
        std::vector<RankRow> rows;
        nlohmann::json reports = nlohmann::json::array();
        for (const std::string& text : process.gather(jsonLine(mine))) {
            nlohmann::json result = parseBounded(text);
            rows.push_back(rankRowFrom(result["row"]));
            if (!report.empty()) reports.push_back(std::move(result["report"]));
        }
        if (process.isFirst()) printRanks(run, rows);
        if (process.isFirst() && !report.empty()) writeReports(report, std::move(reports), nullptr);
        return process.anyRank(!run.check.ok) ? kDifference : kFine;
    });
}

}  // namespace aotscope
