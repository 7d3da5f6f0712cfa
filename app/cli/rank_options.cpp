#include "cli/rank_options.h"

#include "cli/exit_code.h"
#include "io/communication_text.h"
#include "io/ranks_text.h"
#include "io/report.h"
#include "io/text_report.h"
#include "session/rank_runs.h"
#include "session/session.h"
#include "support/file.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace aotscope {

namespace {

void writeReports(const std::filesystem::path& file, const std::vector<RankRun>& runs) {
    nlohmann::json ranks = nlohmann::json::array();
    for (const RankRun& run : runs)
        ranks.push_back(makeReport(run.options, *run.session->record(), &run.check, nullptr));
    writeFileAtomically(file, jsonText({{"schema", kReportSchema}, {"ranks", std::move(ranks)}}));
}

}  // namespace

void RankOptions::addTo(CLI::App& app) {
    auto* ranks = app.add_option("--ranks", count_,
                                 "run all N ranks of a distributed program in this process and check each against "
                                 "eager; {rank} in the names of MODEL, --inputs, --weights and --values stands for a "
                                 "rank's number")
                      ->type_name("N")
                      ->check(CLI::Range(1, static_cast<int>(kMostRankThreads)));
    for (const char* other : {"--bisect", "--time", "--at", "--save", "--trace", "--csv", "--timeline"})
        ranks->excludes(app.get_option(other));
}

int RankOptions::run(const Options& options, const std::filesystem::path& report,
                     const std::filesystem::path& values) const {
    const std::vector<RankRun> runs = checkRanks(options, static_cast<std::size_t>(count_), values, {});
    std::vector<CheckResult> checks;
    for (const RankRun& run : runs) checks.push_back(run.check);
    const RankRun& first = runs.front();
    std::cout << summaryText(*first.session->record());
    const Links links = linksNamed(options.links);
    std::cout << "\n"
              << communicationText(
                     communicationOf(*first.session->record(), first.options.world, links, options.device),
                     first.options.world, links)
              << "\n"
              << ranksText(checks);
    if (!report.empty()) writeReports(report, runs);
    return std::ranges::all_of(checks, &CheckResult::ok) ? kFine : kDifference;
}

}  // namespace aotscope
