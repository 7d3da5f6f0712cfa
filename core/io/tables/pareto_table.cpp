#include "io/tables/pareto_table.h"

#include "cost/variant_costs.h"
#include "support/formatted.h"

#include <utility>

namespace aotscope {

namespace {

using Cell = Table::Cell;

std::vector<Table::Column> paretoColumns() {
    constexpr TableUnit bytes = TableUnit::bytes, ms = TableUnit::milliseconds;
    return {
        {"budget", "budget", "of memory for saved values: 0 saves nothing but inputs, 1 is the fastest"},
        {"planned_limit", "plan for", "limit of the peak, as a share of the peak if everything is kept"},
        {"checkpointed", "checkpointed",
         "how many of the modules that the model repeats run again, as torch.utils.checkpoint does it; selective: "
         "without matrix products, convolutions and attention"},
        {"trap", "", "whether a larger budget has a lower peak"},
        {"saved_bytes", "saved", "what forward keeps in memory for backward", bytes},
        {"predicted_peak_bytes", "peak", "predicted, without parameters, inputs and tangents", bytes},
        {"given_bytes", "", "parameters, buffers, inputs, tangents", bytes},
        {"estimated_ms.forward", "forward", "sum over the operations of forward", ms},
        {"estimated_ms.backward", "backward", "sum over the operations of backward", ms},
        {"recomputed_ops", "recomputed", "operations that backward computes again"},
        {"estimated_ms.recomputed", "time again", "the part of backward that computes again", ms},
        {"estimated_ms.from_measured_operations", "", "whether the estimate adds up measured times of operations"},
        {"estimated_ms.measured_share", "", "the part of the time whose operations were measured before, from 0 to 1"},
        {"communication.sent_bytes", "sent", "by this rank, in collectives", bytes},
        {"communication.exposed_ms", "exposed", "how long the computation waits for collectives", ms},
        {"communication.with_computation_ms", "with communication", "both streams together", ms},
        {"measured.saved_bytes", "measured saved", "what was in memory between forward and backward", bytes},
        {"measured.peak_bytes", "measured peak", "peak of allocations in a run", bytes},
        {"measured.forward_ms", "measured forward", "median of runs", ms},
        {"measured.backward_ms", "measured backward", "median of runs", ms},
        {"recomputed", "", "names of the values that backward computes again"}};
}

std::vector<Cell> cellsOf(const BudgetCosts& row, bool trap) {
    const VariantCosts& costs = row.costs;
    const auto time = [&](double ms) { return Cell{ms, timeText(ms, costs.basis)}; };
    const Cell asked(row.budget, formatted("%.3f", row.budget));
    const auto asks = [&](SweepKind kind, const Cell& cell) { return row.kind == kind ? cell : Cell(); };
    std::vector<Cell> cells = {asks(SweepKind::budget, asked),
                               asks(SweepKind::plan, asked),
                               asks(SweepKind::checkpointing, Cell(row.checkpointed)),
                               trap,
                               costs.savedBytes,
                               Cell(costs.peakBytes, formatBytes(costs.peakBytes) + (trap ? " (trap)" : "")),
                               costs.givenBytes,
                               time(costs.forwardMs),
                               time(costs.backwardMs),
                               costs.recomputedOps,
                               time(costs.recomputedMs),
                               costs.basis == TimeBasis::measured,
                               costs.measuredShare()};
    if (costs.simulatedMs > 0)
        cells.insert(cells.end(), {costs.sentBytes, Cell(costs.exposedMs, formatEstimate(costs.exposedMs)),
                                   Cell(costs.simulatedMs, formatEstimate(costs.simulatedMs))});
    else cells.resize(cells.size() + 3);
    if (const auto& found = costs.measured)
        cells.insert(cells.end(), {found->savedBytes, found->peakBytes, found->forwardMs, found->backwardMs});
    else cells.resize(cells.size() + 4);
    std::vector<std::string> recomputed;
    if (row.partition)
        for (const RecomputedValue& value : row.partition->recomputed) recomputed.push_back(value.name);
    cells.push_back({std::move(recomputed)});
    return cells;
}

}  // namespace

Table paretoTable(const std::vector<BudgetCosts>& rows) {
    Table table{"points", paretoColumns()};
    for (const BudgetCosts& row : rows) {
        const bool trap = isTrap(row, rows);
        table.rows.push_back({cellsOf(row, trap)});
        if (trap) table.summary = "trap: a larger budget has a lower peak\n";
    }
    return table;
}

}  // namespace aotscope
