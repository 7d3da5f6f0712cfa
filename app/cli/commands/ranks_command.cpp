#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "debug/debugger.h"
#include "debug/rank_values.h"
#include "io/ranks/ranks_text.h"
#include "io/report.h"
#include "io/tables/rank_tables.h"
#include "record/options/option_use.h"
#include "session/ranks/compared_ranks.h"
#include "session/ranks/rank_runs.h"
#include "support/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>

namespace aotscope {

namespace {

class RanksCommand final : public Subcommand {
public:
    explicit RanksCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<NamedFile> otherFilesRead() const override;
    int run(const Options& options) override;

private:
    std::vector<std::string> others_;  ///< ranks, MODEL being the first
    int count_ = 0;                    ///< 0: the files are all ranks
    bool values_ = false, failOnChange_ = false;
    TableFlags format_;
};

RanksCommand::RanksCommand(CLI::App& parent)
    : Subcommand(parent, "ranks", "compare the ranks of a distributed program: graphs, collectives, saved values",
                 "aotscope ranks stage{rank}.pt2 --ranks 4\n  aotscope ranks rank_0.log rank_1.log model.pt2 "
                 "--fail-on-change",
                 Takes::model) {
    app_.add_option(
        "OTHER", others_,
        "the other ranks: any mixture of models, sessions, reports (.json) and logs, all but reports also as "
        "ssh://HOST/PATH; a TORCH_TRACE folder and a report of 'run --ranks' contain several");
    app_.add_option("--ranks", count_,
                    "compile MODEL for N ranks; {rank} in the names of MODEL, --inputs and --weights stands for a "
                    "rank's number")
        ->type_name("N")
        ->check(CLI::Range(2, static_cast<int>(kMostRankThreads)))
        ->excludes("OTHER");
    app_.add_flag("--values", values_,
                  "with --ranks: also run all ranks together, and compare their inputs, results, outputs and gradients")
        ->needs("--ranks");
    format_.addTo(app_);
    app_.add_flag("--fail-on-change", failOnChange_, "exit with code 3 if there is a difference");
}

void RanksCommand::check(Options& options) {
    if (values_) options.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
    options.use({"--ranks", "--values", "--json", "--csv", "--fail-on-change"});
    if (options.world.rank != 0) throw UsageError("ranks: all ranks are compared; leave --rank out");
}

std::vector<NamedFile> RanksCommand::otherFilesRead() const {
    std::vector<NamedFile> files;
    for (const std::string& other : others_) files.push_back({"OTHER", other});
    return files;
}

int RanksCommand::run(const Options& options) {
    RankComparison comparison;
    if (count_ > 0) {
        const auto ranks = compileRanks(options, static_cast<std::size_t>(count_), {});
        requireUsed(options);
        comparison = compareRankRuns(ranks->runs());
        if (values_)
            std::ranges::move(compareValues(*ranks->debug({}), {}), std::back_inserter(comparison.differences));
    } else {
        std::vector<std::string> files = {options.model};
        files.insert(files.end(), others_.begin(), others_.end());
        comparison = compareRankFiles(files, options, *engine(), {});
        constexpr const char* asTheyAre = "logs and reports are compared as they are; leave it out";
        explainUnused(options, asTheyAre, asTheyAre);
        requireUsed(options);
    }
    if (format_.text()) std::cout << rankComparisonText(comparison);
    else format_.print(rankDifferencesTable(comparison.differences, comparison.ranks), rankComparisonJson(comparison));
    return failOnChange_ && !comparison.differences.empty() ? kDifference : kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeRanksCommand(CLI::App& parent) { return std::make_unique<RanksCommand>(parent); }

}  // namespace aotscope
