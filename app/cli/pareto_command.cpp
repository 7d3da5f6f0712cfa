#include "cli/pareto_command.h"

#include "cli/partition_command.h"
#include "cost/runtime_model.h"
#include "io/cost_json.h"
#include "io/pareto_text.h"
#include "io/report.h"
#include "partition/pareto.h"
#include "session/session.h"
#include "support/file.h"

#ifdef AOTSCOPE_GUI
#include "export/picture_export.h"
#endif

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

void writeChartIfAsked(const Command& command, [[maybe_unused]] const std::vector<BudgetCosts>& rows,
                       [[maybe_unused]] const std::string& model) {
    if (command.output.empty()) return;
#ifdef AOTSCOPE_GUI
    writeChart(rows, model, command.output);
#endif
}

void refuseWhatCannotBe(const Command& command) {
#ifndef AOTSCOPE_GUI
    if (!command.output.empty())
        throw UsageError("--svg " + command.output.string() +
                         ": this build draws no charts, it was made without Qt; use --json");
#endif
    if (command.options.partition.algorithm != PartitionAlgorithm::minCut)
        throw UsageError("--partition " + std::string(name(command.options.partition.algorithm)) +
                         ": only min-cut has memory budgets");
    if (command.options.partition.estimator == RuntimeEstimator::measured && command.measure)
        throw UsageError("--estimator measured with --measure: the measured runs need an estimator that any run has");
}

}  // namespace

int showPareto(const Command& command) {
    refuseWhatCannotBe(command);
    const auto session = Session::open(command.options, {});
    Options options = session->options();
    options.partition.algorithm = PartitionAlgorithm::minCut;
    const CompileRecord& record = *session->record();
    requirePartition(record);
    if (command.measure && !session->whyNotExecutable().empty())
        throw Error("--measure: " + session->whyNotExecutable());

    NodeTimes times(machineModel(options.device));
    if (command.measure || options.partition.estimator == RuntimeEstimator::measured)
        times.learn(session->time({kParetoRuns}, {}));
    RuntimeModel model = rooflineTimes(options.device);
    model.measured = [&](const Node& node) { return times.ms(node); };
    const PartitionWhatIf laboratory(record.graph(GraphKind::joint), model);
    std::vector<BudgetCosts> rows =
        budgetCosts(laboratory, evenBudgets(command.points), options.partition, record.knownMetadata(), times, {});
    if (command.measure) measure(rows, options, session);

    writeChartIfAsked(command, rows, record.model.name);
    if (!command.report.empty()) {
        const nlohmann::json document = {{"schema", kReportSchema},
                                         {"model", record.model.name},
                                         {"machine", machineJson(machineModel(options.device))},
                                         {"points", paretoJson(rows)}};
        if (command.report == "-") std::cout << jsonText(document);
        else writeFileAtomically(command.report, jsonText(document));
    }
    if (command.report == "-") return kFine;
    std::cout << paretoText(rows);
    warnOfDisturbance(options.device);
    return kFine;
}

}  // namespace aotscope
