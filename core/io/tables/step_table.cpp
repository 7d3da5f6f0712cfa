#include "io/tables/step_table.h"

#include "cost/node_figures.h"
#include "cost/roofline.h"
#include "ir/printer.h"
#include "record/results/graph_times.h"
#include "record/results/module_times.h"
#include "support/formatted.h"

namespace aotscope {

namespace {

std::vector<Table::Column> stepColumns() {
    constexpr TableUnit bytes = TableUnit::bytes, us = TableUnit::microseconds;
    constexpr bool forAll = false, summed = true;
    return {{"graph", "Graph", "forward, backward or inference graph"},
            {"index", "Step", "position in its graph"},
            {"node", "Value", "the node that was timed"},
            {"op", "Operation", "what the node calls"},
            {"module", "Module", "the module that the operation belongs to"},
            {"type", "Type", "dtype, sizes and strides of its result"},
            {"median_us", "Median", "median over all runs", us, forAll, summed},
            {"lower_quartile_us", "Quartiles", "first quartile of all runs; displayed with the third", us},
            {"upper_quartile_us", "", "third quartile of all runs", us},
            {"bytes", "Bytes", "size of its results", bytes, forAll, summed},
            {"live_bytes", "Peak", "peak memory while it ran, excluding parameters and inputs", bytes},
            {"share", "Share", "of its graph's time, from 0 to 1", TableUnit::share},
            {"flops", "", "floating point operations of products, convolutions and attention"},
            {"moved_bytes", "", "what the operation reads and writes, each element once", bytes},
            {"gflops_per_s", "GFLOP/s", "achieved: the arithmetic of products divided by the median"},
            {"gb_per_s", "GB/s", "achieved: what the operation reads and writes, divided by the median"}};
}

/// The cells of its work and of the achieved rates.
void addRates(const NodeCost& cost, double us, Table::Row& row) {
    for (const std::int64_t amount : {cost.flops, cost.bytes()})
        row.cells.push_back(amount > 0 ? Table::Cell(amount) : Table::Cell());
    for (const std::int64_t amount : {cost.flops, cost.bytes()}) {
        const double rate = us > 0 ? static_cast<double>(amount) / us / 1000 : 0;
        row.cells.push_back(rate > 0 ? Table::Cell(rate, threeDigits(rate)) : Table::Cell());
    }
}

}  // namespace

Table stepTable(const TimingResult& timing, const CompileRecord& record, const MachineModel* machine) {
    Table table{"steps", stepColumns()};
    if (machine) {
        table.columns.push_back({"estimated_us", "Estimate", "as known before the run", TableUnit::microseconds});
        table.columns.push_back(
            {"estimate_basis", "", "measured before, scaled from the nearest measured, or by the roofline"});
    }
    const std::vector<std::string> modules = stepModules(timing, record);
    const GraphTimes times(timing);
    const std::vector<TimedNode> timed = timedNodes(timing, record);
    for (std::size_t i = 0; i < timing.steps.size(); ++i) {
        const StepTime& step = timing.steps[i];
        const Node* node = timed[i].node;
        const double total = times.totalUs(step.graph == GraphKind::backward);
        Table::Row& row =
            table.add(name(step.graph), step.index, Table::Cell(step.name, "%" + step.name), step.op, modules[i],
                      node && node->type.known() ? printType(node->type) : std::string(), step.medianUs,
                      Table::Cell(step.lowerUs,
                                  formatDuration(step.lowerUs / 1000) + " to " + formatDuration(step.upperUs / 1000)),
                      step.upperUs, step.bytes, step.liveBytes, total > 0 ? times.stepUs(step) / total : 0);
        row.node = step.node;
        row.graph = step.graph;
        addRates(timed[i].cost, step.medianUs, row);
        if (!machine) continue;
        const auto estimate = node ? std::optional(timeOf(*node, *machine, record.knownCosts())) : std::nullopt;
        row.cells.push_back(estimate ? Table::Cell(estimate->value * 1000) : Table::Cell());
        row.cells.push_back(estimate ? Table::Cell(name(estimate->basis)) : Table::Cell());
    }
    return table;
}

Table moduleTable(const TimingResult& timing, const CompileRecord& record) {
    constexpr TableUnit us = TableUnit::microseconds;
    Table table{
        "modules",
        {{"module", "module", "its path; empty: the whole model"},
         {"forward_us", "forward", "of its operations and its submodules'", us},
         {"backward_us", "backward", "of their backward", us},
         {"own_forward_us", "", "of operations outside its submodules", us},
         {"own_backward_us", "", "of operations outside its submodules", us},
         {"share", "share", "of the whole model, from 0 to 1", TableUnit::share},
         {"own", "own", "forward and backward, without submodules; of the model: with the overhead", us, true}}};
    const ModuleTime root = moduleTimes(timing, record);
    forEachModule(root, [&](const ModuleTime& module, int) {
        Table::Row& row = table.add(Table::Cell(module.path, module.path.empty() ? "(the model)" : ""),
                                    module.forwardUs, module.backwardUs, module.ownForwardUs, module.ownBackwardUs,
                                    root.totalUs() > 0 ? module.totalUs() / root.totalUs() : 0.0, module.ownUs());
        if (module.steps.empty()) return;
        row.node = timing.steps[module.steps.front()].node;
        row.graph = timing.steps[module.steps.front()].graph;
    });
    return table;
}

}  // namespace aotscope
