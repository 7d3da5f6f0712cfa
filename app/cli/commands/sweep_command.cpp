#include "cli/engine/rank_flags.h"
#include "cli/exit_code.h"
#include "cli/options_in_text.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "distributed/rank_process.h"
#include "io/report.h"
#include "io/tables/sweep_table.h"
#include "io/tables/table_text.h"
#include "record/sweep_list.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/elapsed.h"
#include "support/file.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <optional>

namespace aotscope {

namespace {

constexpr std::uintmax_t kMostSweepBytes = 64u << 20;

class SweepCommand final : public Subcommand {
public:
    explicit SweepCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<const Options*> otherRuns() const override;
    std::vector<NamedFile> otherFilesRead() const override { return {{"FILE", file_}}; }
    std::vector<NamedFile> filesWritten() const override { return {{"--json", json_}, {"--csv", csv_}}; }
    int run(const Options& options) override;

private:
    nlohmann::json point(std::size_t which, const Progress& progress) const;
    int show(const nlohmann::json& points) const;

    std::filesystem::path file_;
    std::vector<SweepRun> runs_;
    std::vector<Options> options_;  ///< of each run
    bool check_ = false;
    int iterations_ = 0;
    std::filesystem::path json_, csv_;  ///< empty: not wanted
    LaunchedRanks ranks_;
};

SweepCommand::SweepCommand(CLI::App& parent)
    : Subcommand(parent, "sweep", "run many models, or one with many options, and compare them in one table",
                 "aotscope sweep models.txt --check --time 10 --csv results.csv\n  mpirun -np 8 aotscope sweep "
                 "models.txt --time 10",
                 Takes::noModel) {
    app_.add_option("FILE", file_,
                    "the runs, one per line: a model and options of 'aotscope run', as in 'sample:mlp --seed 3'; or a "
                    "JSON list of such lines, or of {\"model\": \"...\", \"options\": \"...\"}")
        ->required();
    app_.add_flag("--check", check_, "compare each run with eager");
    app_.add_option("--time", iterations_, "time eager and compiled of each run N times")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000));
    app_.add_option("--json", json_, "write the table as JSON")->type_name("FILE.json");
    addCsvFile(app_, csv_, "write the table as CSV");
    ranks_.addTo(app_);
}

void SweepCommand::check(Options& options) {
    const std::string text = readInput(file_, kMostSweepBytes);
    try {
        runs_ = sweepRuns(text);
    } catch (const Error& e) {
        throw UsageError(file_.string() + " " + e.what());
    }
    for (const SweepRun& run : runs_)
        options_.push_back(runOptions(run.text, file_.string() + ": run " + std::to_string(run.place)));
    ranks_.check(options);
    options.use({"--check", "--time", "--json", "--csv"});
    for (const Options& run : options_)
        if (check_ || iterations_ > 0) run.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
}

std::vector<const Options*> SweepCommand::otherRuns() const {
    std::vector<const Options*> runs;
    for (const Options& options : options_) runs.push_back(&options);
    return runs;
}

/// An error is a result like any other.
nlohmann::json SweepCommand::point(std::size_t which, const Progress& progress) const {
    const std::string& run = runs_[which].text;
    try {
        const auto start = std::chrono::steady_clock::now();
        const auto session = openQuietly(options_[which], {}, progress);
        const double openMs = msSince(start);
        requireCompiled(*session->record());
        if (check_ || iterations_ > 0) requireExecutable(*session, check_ ? "--check" : "--time");
        std::optional<CheckResult> checked;
        std::optional<TimingResult> timed;
        if (check_) checked = session->check(progress);
        if (iterations_ > 0) timed = session->time({iterations_}, progress);
        return sweepPoint(run, *session->record(), openMs, checked ? &*checked : nullptr, timed ? &*timed : nullptr);
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        return failedSweepPoint(run, firstSentence(e.what()));
    }
}

int SweepCommand::show(const nlohmann::json& points) const {
    const Table table = sweepTable(points);
    std::cout << tableText(table);
    if (!json_.empty()) writeFileAtomically(json_, jsonText({{"schema", kReportSchema}, {"points", points}}));
    writeCsv(csv_, table);
    return !allSweepPointsRan(points) ? kFailed : allSweepPointsEqual(points) ? kFine : kDifference;
}

int SweepCommand::run(const Options& options) {
    requireUsed(options);
    nlohmann::json points = nlohmann::json::array();
    if (!ranks_.areThere()) {
        for (std::size_t i = 0; i < runs_.size(); ++i) points.push_back(point(i, {}));
        return show(points);
    }
    return runAsRank(ranks_, options, [&](RankProcess& process) {
        for (Options& own : options_) own = onOwnGpu(own, process);
        for (const std::string& text : process.share(
                 runs_.size(), [&](std::size_t i, const Progress&progress) { return jsonLine(point(i, progress)); }))
            points.push_back(messageIn(text));
        return std::stoi(process.fromFirst(process.isFirst() ? std::to_string(show(points)) : std::string()));
    });
}

}  // namespace

std::unique_ptr<Subcommand> makeSweepCommand(CLI::App& parent) { return std::make_unique<SweepCommand>(parent); }

}  // namespace aotscope
