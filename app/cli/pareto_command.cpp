#include "cli/calibration_flag.h"
#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cost/runtime_model.h"
#include "io/cost_json.h"
#include "io/pareto_text.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "partition/pareto.h"
#include "session/session.h"
#include "support/file.h"

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

/// Compiles and runs every partition that differs from those before it.
void measure(std::vector<BudgetCosts>& rows, Options options, std::shared_ptr<const Session> session) {
    for (auto row = rows.begin(); row != rows.end(); ++row) {
        const auto known = std::find_if(rows.begin(), row, [&](const BudgetCosts& earlier) {
            return sameChoice(*earlier.partition, *row->partition);
        });
        if (known != row) {
            row->costs.measured = known->costs.measured;
            continue;
        }
        options.partition.memoryBudget = row->budget;
        session = Session::open(options, {}, session);
        if (!session->record()->error.empty()) throw Error(session->record()->error);
        row->costs.measured = measuredCosts(session->time({kParetoRuns}, {}));
    }
}

#ifdef AOTSCOPE_GUI
void writeChart(const std::vector<BudgetCosts>& rows, const std::string& model, const std::filesystem::path& file) {
    constexpr double kMegabyte = 1e6;
    std::vector<ParetoRow> marks;
    for (const BudgetCosts& row : rows) {
        std::string budget = std::to_string(row.budget);
        budget.resize(budget.find('.') + 3);
        marks.push_back({static_cast<double>(row.costs.peakBytes) / kMegabyte, row.costs.totalMs(), budget, false});
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
    if (options.partition.algorithm != PartitionAlgorithm::minCut)
        throw UsageError("--partition " + std::string(name(options.partition.algorithm)) +
                         ": only min-cut has memory budgets");
    if (options.partition.estimator == RuntimeEstimator::measured && measures)
        throw UsageError(
            "--estimator measured with --measure: choose another estimator to compare measured times with");
}

class ParetoCommand final : public Subcommand {
public:
    explicit ParetoCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<NamedFile> filesWritten() const override { return {{"--json", points_}, {"--svg", chart_}}; }
    int run(const Options& options) override;

private:
    void print(const std::vector<BudgetCosts>& rows, const Options& options, const std::string& model) const;

    int count_ = 20;
    bool measure_ = false;
    std::filesystem::path chart_;  ///< empty: none
    std::string points_;           ///< a JSON file; empty: none
    bool toScreen_ = false;        ///< JSON instead of the table
    CalibrationFlag calibration_;
};

ParetoCommand::ParetoCommand(CLI::App& parent)
    : Subcommand(parent, "pareto", "compare memory and time over memory budgets: table, chart or JSON",
                 "aotscope pareto sample:gpt2 --svg pareto.svg", Takes::model) {
    app_.add_option("--points", count_, "number of budgets, evenly spaced from 0 to 1")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app_.add_flag("--measure", measure_, "also run each partition: measure its time and peak memory");
    app_.add_option("--svg", chart_, "draw a chart")->type_name("FILE.svg");
    app_.add_option("--json", points_, "write the points as JSON; without a file: print them")
        ->type_name("[FILE.json]")
        ->expected(0, 1);
    calibration_.addTo(app_);
}

void ParetoCommand::check(Options& /*options*/) { toScreen_ = given("--json") && points_.empty(); }

void ParetoCommand::print(const std::vector<BudgetCosts>& rows, const Options& options,
                          const std::string& model) const {
    if (toScreen_ || !points_.empty()) {
        const std::string text = jsonText({{"schema", kReportSchema},
                                           {"model", model},
                                           {"machine", machineJson(machineModel(options.device))},
                                           {"points", paretoJson(rows)}});
        if (toScreen_) std::cout << text;
        else writeFileAtomically(points_, text);
    }
    if (toScreen_) return;
    std::cout << paretoText(rows);
    calibration_.warn(options.device);
}

int ParetoCommand::run(const Options& wanted) {
    refuseWhatCannotBe(wanted, measure_, chart_);
    calibration_.apply(wanted.device);
    const auto session = Session::open(wanted, {});
    Options options = session->options();
    options.partition.algorithm = PartitionAlgorithm::minCut;
    const CompileRecord& record = *session->record();
    requirePartition(record);
    if (measure_ && !session->whyNotExecutable().empty()) throw Error("--measure: " + session->whyNotExecutable());

    NodeTimes times(machineModel(options.device));
    if (measure_ || options.partition.estimator == RuntimeEstimator::measured)
        times.learn(session->time({kParetoRuns}, {}));
    RuntimeModel model = rooflineTimes(options.device);
    model.measured = [&](const Node& node) { return times.ms(node); };
    const PartitionWhatIf whatIf(record.graph(GraphKind::joint), model);
    std::vector<BudgetCosts> rows =
        budgetCosts(whatIf, evenBudgets(count_), options.partition, record.knownMetadata(), times, {});
    if (measure_) measure(rows, options, session);

#ifdef AOTSCOPE_GUI
    if (!chart_.empty()) writeChart(rows, record.model.name, chart_);
#endif
    print(rows, options, record.model.name);
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeParetoCommand(CLI::App& parent) { return std::make_unique<ParetoCommand>(parent); }

}  // namespace aotscope
