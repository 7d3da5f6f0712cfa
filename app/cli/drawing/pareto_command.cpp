#include "cli/drawing/pareto_command.h"

#include "cli/exit_code.h"
#include "cli/require_compiled.h"
#include "cli/table_flags.h"
#include "cost/estimated_times.h"
#include "io/cost_json.h"
#include "io/report.h"
#include "io/tables/pareto_table.h"
#include "io/tables/table_text.h"
#include "passes/repartition.h"
#include "session/engine.h"
#include "support/file.h"
#include "support/formatted.h"
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

#ifdef AOTSCOPE_GUI
void writeChart(const std::vector<BudgetCosts>& rows, const std::string& model, const std::filesystem::path& file) {
    constexpr double kMegabyte = 1e6;
    std::vector<ParetoRow> marks;
    for (const BudgetCosts& row : rows) {
        const std::string label =
            row.kind == SweepKind::checkpointing ? row.checkpointed : formatted("%.2f", row.budget);
        marks.push_back({static_cast<double>(row.costs.peakBytes) / kMegabyte, row.costs.ms(), label, false, row.kind});
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
                         ": aotscope-engine draws no charts; use --json, or the program aotscope with its window");
#endif
    const PartitionAlgorithm algorithm = options.partition.algorithm;
    if (algorithm != PartitionAlgorithm::minCut)
        throw UsageError(
            "--partition " + std::string(name(algorithm)) +
            (algorithm == PartitionAlgorithm::planned ? " (of --plan, --partition-fn or --peak; see --plans)" : "") +
            ": only min-cut has memory budgets");
    if (options.partition.estimator == RuntimeEstimator::measured && measures)
        throw UsageError(
            "--estimator measured with --measure: choose another estimator to compare measured times with");
}

}  // namespace

PartitionOptions ParetoCommand::byMinCut(PartitionOptions options) {
    options.algorithm = PartitionAlgorithm::minCut;
    return options;
}

std::vector<std::size_t> ParetoCommand::distinctRows(const Rows& rows) {
    std::vector<std::size_t> distinct;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (std::ranges::none_of(
                distinct, [&](std::size_t known) { return sameChoice(*rows[known].partition, *rows[i].partition); }))
            distinct.push_back(i);
    return distinct;
}

VariantCosts::Measured ParetoCommand::measured(const BudgetCosts& row, Options options,
                                               std::shared_ptr<const Session>& session,
                                               const Progress& progress) const {
    options.partition = optionsOf(row, options.partition);
    options.partition.planSeconds = 0;
    options.repartition = true;
    session = engine()->open(options, progress, session);
    requireCompiled(*session->record());
    return measuredCosts(session->time({kParetoRuns}, progress));
}

void ParetoCommand::setMeasured(Rows& rows, const BudgetCosts& row, const VariantCosts::Measured& costs) {
    const Partition& partition = *row.partition;
    for (BudgetCosts& each : rows)
        if (sameChoice(*each.partition, partition)) each.costs.measured = costs;
}

ParetoCommand::ParetoCommand(CLI::App& parent)
    : Subcommand(parent, "pareto", "compare memory and time across memory budgets and plans: table, chart or JSON",
                 "aotscope pareto sample:gpt2 --svg pareto.svg", Takes::model) {
    app_.add_option("--points", count_, "number of budgets, evenly spaced from 0 to 1")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app_.add_option("--plans", plans_,
                    "number of plans beside them: each recomputes as little as a limit of the peak allows (see --peak)")
        ->type_name("N")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    app_.add_option("--checkpoints", checkpoints_,
                    "number of rows in which the first of the modules that the model repeats are checkpointed, and as "
                    "many with selective checkpointing")
        ->type_name("N")
        ->check(CLI::Range(0, 1000))
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

void ParetoCommand::print(const Rows& rows, const Options& options, const std::string& model) const {
    const Table table = paretoTable(rows);
    if (toScreen_ || !points_.empty()) {
        const std::string text = jsonText({{"schema", kReportSchema},
                                           {"model", model},
                                           {"machine", machineJson(engine()->machine(options.device))},
                                           {table.key, tableJson(table)}});
        if (toScreen_) std::cout << text;
        else writeFileAtomically(points_, text);
    }
    writeCsv(csv_, table);
    if (toScreen_) return;
    std::cout << tableText(table);
    CalibrationFlag::warn(engine()->machine(options.device));
}

ParetoCommand::Rows ParetoCommand::estimate(const std::shared_ptr<const Session>& session) const {
    const Options& options = session->options();
    const CompileRecord& record = *session->record();
    requirePartition(record);
    if (measure_) requireExecutable(*session, "--measure");
    NodeTimes times = estimatedTimes(options, record, engine()->machine(options.device));
    if (measure_ || options.partition.estimator == RuntimeEstimator::measured)
        times.learn(session->time({kParetoRuns}, {}));
    RuntimeModel model = rooflineTimes(machineOf(engine(), options.device), record.costs);
    model.measured = [&](const Node& node) { return times.ms(node); };
    const auto whatIf = whatIfOn(record, model, plansOf(engine()));
    const PartitionOptions asked = byMinCut(options.partition);
    const FunctionMetadata& metadata = record.knownMetadata();
    Rows rows = budgetCosts(*whatIf, evenBudgets(count_), asked, metadata, times, {});
    std::ranges::move(planCosts(*whatIf, plans_, asked, metadata, times, {}), std::back_inserter(rows));
    std::ranges::move(checkpointCosts(*whatIf, checkpoints_, asked, metadata, times, {}), std::back_inserter(rows));
    return rows;
}

// Budgets, solver and estimator apply to the partitions that the command makes itself.
std::shared_ptr<const Session> ParetoCommand::openModel(const Options& wanted) const {
    calibration_.apply(*engine(), wanted.device);
    return open(wanted, {"--points", "--plans", "--checkpoints", "--measure", "--svg", "--json", "--csv", "--calibrate",
                         "--solver", "--estimator"});
}

void ParetoCommand::show(const Rows& rows, const Session& session) const {
    const std::string& model = session.record()->model.name;
#ifdef AOTSCOPE_GUI
    if (!chart_.empty()) writeChart(rows, model, chart_);
#endif
    print(rows, session.options(), model);
}

int ParetoCommand::run(const Options& wanted) {
    refuseWhatCannotBe(wanted, measure_, chart_);
    return ranks_.areThere() ? runOnRanks(wanted) : runAlone(wanted);
}

int ParetoCommand::runAlone(const Options& wanted) const {
    const auto session = openModel(wanted);
    Rows rows = estimate(session);
    Options options = session->options();
    options.partition = byMinCut(options.partition);
    std::shared_ptr<const Session> last = session;
    if (measure_)
        for (const std::size_t i : distinctRows(rows)) setMeasured(rows, rows[i], measured(rows[i], options, last, {}));
    show(rows, *session);
    return kFine;
}

}  // namespace aotscope
