#include "cli/calibration_flag.h"
#include "cli/exit_code.h"
#include "cli/launched_ranks.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "cost/estimated_times.h"
#include "cost/runtime_model.h"
#include "distributed/rank_process.h"
#include "io/cost_json.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "io/tables/pareto_table.h"
#include "io/tables/table_text.h"
#include "partition/pareto.h"
#include "passes/repartition.h"
#include "record/options/option_use.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/json/json_text.h"

#ifdef AOTSCOPE_GUI
#include "export/picture_export.h"
#endif

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace aotscope {

namespace {

constexpr int kParetoRuns = 3;

/// Only min-cut has budgets.
PartitionOptions byMinCut(PartitionOptions options) {
    options.algorithm = PartitionAlgorithm::minCut;
    return options;
}

/// The first row of each partition.
std::vector<std::size_t> distinctRows(const std::vector<BudgetCosts>& rows) {
    std::vector<std::size_t> distinct;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (std::ranges::none_of(
                distinct, [&](std::size_t known) { return sameChoice(*rows[known].partition, *rows[i].partition); }))
            distinct.push_back(i);
    return distinct;
}

/// Compiles and runs the partition of a budget. `session`: of the same model, or null.
VariantCosts::Measured measured(double budget, Options options, std::shared_ptr<const Session>& session,
                                const Progress& progress) {
    options.partition.memoryBudget = budget;
    options.repartition = true;
    session = Session::open(options, progress, session);
    requireCompiled(*session->record());
    return measuredCosts(session->time({kParetoRuns}, progress));
}

void setMeasured(std::vector<BudgetCosts>& rows, const BudgetCosts& row, const VariantCosts::Measured& costs) {
    const Partition& partition = *row.partition;
    for (BudgetCosts& each : rows)
        if (sameChoice(*each.partition, partition)) each.costs.measured = costs;
}

#ifdef AOTSCOPE_GUI
void writeChart(const std::vector<BudgetCosts>& rows, const std::string& model, const std::filesystem::path& file) {
    constexpr double kMegabyte = 1e6;
    std::vector<ParetoRow> marks;
    for (const BudgetCosts& row : rows) {
        std::string budget = std::to_string(row.budget);
        budget.resize(budget.find('.') + 3);
        marks.push_back({static_cast<double>(row.costs.peakBytes) / kMegabyte, row.costs.ms(), budget, false});
    }
    for (const BudgetCosts& row : rows)
        if (const auto& found = row.costs.measured)
            marks.push_back(
                {static_cast<double>(found->peakBytes) / kMegabyte, found->forwardMs + found->backwardMs, "", true});
    exportPareto(marks, "peak memory beside parameters and inputs, MB", "forward and backward, ms",
                 model + ": memory against time", file);
}
#endif

void refuseWhatCannotBe(const Options& options, bool measures, [[maybe_unused]] const std::filesystem::path& chart) {
#ifndef AOTSCOPE_GUI
    if (!chart.empty())
        throw UsageError("--svg " + chart.string() +
                         ": this build has no charts, as it was built without Qt; use --json");
#endif
    const PartitionAlgorithm algorithm = options.partition.algorithm;
    if (algorithm != PartitionAlgorithm::minCut)
        throw UsageError("--partition " + std::string(name(algorithm)) +
                         (algorithm == PartitionAlgorithm::planned ? " (of --plan or --partition-fn)" : "") +
                         ": only min-cut has memory budgets");
    if (options.partition.estimator == RuntimeEstimator::measured && measures)
        throw UsageError(
            "--estimator measured with --measure: choose another estimator to compare measured times with");
}

class ParetoCommand final : public Subcommand {
public:
    explicit ParetoCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<NamedFile> filesWritten() const override {
        return {{"--json", points_}, {"--csv", csv_}, {"--svg", chart_}};
    }
    int run(const Options& options) override;

private:
    std::vector<BudgetCosts> estimate(const std::shared_ptr<const Session>& session) const;
    int runShared(const Options& wanted, RankProcess& process) const;
    void show(const std::vector<BudgetCosts>& rows, const Session& session) const;
    static std::shared_ptr<const Session> openModel(const Options& wanted);
    void print(const std::vector<BudgetCosts>& rows, const Options& options, const std::string& model) const;

    int count_ = 20;
    bool measure_ = false;
    std::filesystem::path chart_, csv_;  ///< empty: not written
    std::string points_;                 ///< a JSON file; empty: not written
    bool toScreen_ = false;              ///< JSON instead of the table
    CalibrationFlag calibration_;
    LaunchedRanks ranks_;
};

ParetoCommand::ParetoCommand(CLI::App& parent)
    : Subcommand(parent, "pareto", "compare memory and time across memory budgets: table, chart or JSON",
                 "aotscope pareto sample:gpt2 --svg pareto.svg", Takes::model) {
    app_.add_option("--points", count_, "number of budgets, evenly spaced from 0 to 1")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app_.add_flag("--measure", measure_, "also run each partition, and measure its time and peak memory");
    app_.add_option("--svg", chart_, "draw a chart")->type_name("FILE.svg");
    app_.add_option("--json", points_, "write the points as JSON; without a file: print them")
        ->type_name("[FILE.json]")
        ->expected(0, 1);
    addCsvFile(app_, csv_, "write the table as CSV");
    calibration_.addTo(app_);
    ranks_.addTo(app_);
}

void ParetoCommand::check(Options& options) {
    if (points_ == "-") points_.clear();
    toScreen_ = given("--json") && points_.empty();
    ranks_.check(options);
    if (given("--memory-budget")) throw UsageError("--memory-budget: pareto goes through all budgets; leave it out");
    if (measure_ || options.partition.estimator == RuntimeEstimator::measured)
        options.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
    options.given->plan(GivenOptions::Purpose::estimate);
}

void ParetoCommand::print(const std::vector<BudgetCosts>& rows, const Options& options,
                          const std::string& model) const {
    const Table table = paretoTable(rows);
    if (toScreen_ || !points_.empty()) {
        const std::string text = jsonText({{"schema", kReportSchema},
                                           {"model", model},
                                           {"machine", machineJson(machineModel(options.device))},
                                           {table.key, tableJson(table)}});
        if (toScreen_) std::cout << text;
        else writeFileAtomically(points_, text);
    }
    writeCsv(csv_, table);
    if (toScreen_) return;
    std::cout << tableText(table);
    calibration_.warn(options.device);
}

/// The costs of the budgets. `session` belongs to `options`.
std::vector<BudgetCosts> ParetoCommand::estimate(const std::shared_ptr<const Session>& session) const {
    const Options& options = session->options();
    const CompileRecord& record = *session->record();
    requirePartition(record);
    if (measure_) requireExecutable(*session, "--measure");
    NodeTimes times = estimatedTimes(options, machineModel(options.device));
    if (measure_ || options.partition.estimator == RuntimeEstimator::measured)
        times.learn(session->time({kParetoRuns}, {}));
    RuntimeModel model = rooflineTimes(machineOf(options.device));
    model.measured = [&](const Node& node) { return times.ms(node); };
    return budgetCosts(*whatIfOn(record, model), evenBudgets(count_), byMinCut(options.partition),
                       record.knownMetadata(), times, {});
}

/// Budgets, solver and estimator apply to the partitions that the command makes itself.
std::shared_ptr<const Session> ParetoCommand::openModel(const Options& wanted) {
    return open(wanted,
                {"--points", "--measure", "--svg", "--json", "--csv", "--calibrate", "--solver", "--estimator"});
}

void ParetoCommand::show(const std::vector<BudgetCosts>& rows, const Session& session) const {
    const std::string& model = session.record()->model.name;
#ifdef AOTSCOPE_GUI
    if (!chart_.empty()) writeChart(rows, model, chart_);
#endif
    print(rows, session.options(), model);
}

/// Rank 0 estimates; all ranks measure.
int ParetoCommand::runShared(const Options& wanted, RankProcess& process) const {
    std::shared_ptr<const Session> session;
    std::vector<BudgetCosts> rows;
    nlohmann::json budgets = nlohmann::json::array();
    if (process.isFirst()) {
        calibration_.apply(wanted.device);
        session = openModel(wanted);
        rows = estimate(session);
    }
    if (process.isFirst() && measure_) {
        for (const std::size_t i : distinctRows(rows)) budgets.push_back(rows[i].budget);
    }
    budgets = parseBounded(process.fromFirst(budgets.dump()));
    Options options = onOwnGpu(wanted, process);
    options.partition = byMinCut(options.partition);
    std::shared_ptr<const Session> last = session;
    const auto results = process.share(budgets.size(), [&](std::size_t i, const Progress& progress) {
        return jsonLine(measuredCostsJson(measured(budgets[i].get<double>(), options, last, progress)));
    });
    if (!process.isFirst()) return kFine;
    const std::vector<std::size_t> distinct = distinctRows(rows);
    for (std::size_t i = 0; i < results.size(); ++i)
        setMeasured(rows, rows[distinct[i]], measuredCostsFrom(parseBounded(results[i])));
    show(rows, *session);
    return kFine;
}

int ParetoCommand::run(const Options& wanted) {
    refuseWhatCannotBe(wanted, measure_, chart_);
    if (ranks_.areThere()) return ranks_.run(wanted, [&](RankProcess& process) { return runShared(wanted, process); });
    calibration_.apply(wanted.device);
    const auto session = openModel(wanted);
    std::vector<BudgetCosts> rows = estimate(session);
    Options options = session->options();
    options.partition = byMinCut(options.partition);
    std::shared_ptr<const Session> last = session;
    if (measure_)
        for (const std::size_t i : distinctRows(rows))
            setMeasured(rows, rows[i], measured(rows[i].budget, options, last, {}));
    show(rows, *session);
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeParetoCommand(CLI::App& parent) { return std::make_unique<ParetoCommand>(parent); }

}  // namespace aotscope
