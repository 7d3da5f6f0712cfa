#include "io/tables/operator_cost_table.h"

#include "cost/book/record_operations.h"
#include "cost/book/signature.h"
#include "cost/node_cost.h"
#include "cost/variant_costs.h"
#include "support/formatted.h"

#include <algorithm>
#include <array>

namespace aotscope {

Table operatorCostTable(const CompileRecord& record, const MachineModel& machine) {
    constexpr TableUnit us = TableUnit::microseconds, bytes = TableUnit::bytes;
    constexpr bool forAll = false, summed = true;
    Table table{"operators",
                {{"signature", "Operation", "the operator with the types of its operands, and its other arguments"},
                 {"calls", "Calls", "in one run of the graphs", TableUnit::none, forAll, summed},
                 {"us", "Time", "of one call", us},
                 {"time_basis", "Basis", "measured, scaled from the nearest signature measured, or estimated"},
                 {"total_us", "Total", "of all calls", us, forAll, summed},
                 {"inner_bytes", "Inner", "allocated besides its results, and freed, while it runs", bytes},
                 {"bytes_basis", "Basis of Inner", "as for times"},
                 {"moved_bytes", "Moved", "read and written, each element once", bytes},
                 {"flops", "FLOPs", "floating point operations of products, convolutions and attention"}}};
    const OperatorCosts& costs = record.knownCosts();
    std::array<double, 3> ms{};
    for (const AlikeOperations& alike : operationsIn(record, GraphsOf::runs)) {
        const NodeFigure<double> time = timeOf(*alike.node, machine, costs);
        const NodeFigure<std::int64_t> inner = innerBytesOf(*alike.node, costs);
        const NodeCost cost = costOf(*alike.node);
        const double total = time.value * static_cast<double>(alike.calls);
        ms.at(static_cast<std::size_t>(time.basis)) += total;
        table.add(signatureOf(*alike.node), alike.calls, time.value * 1000, name(time.basis), total * 1000, inner.value,
                  name(inner.basis), cost.bytes(), cost.flops);
    }
    std::ranges::stable_sort(table.rows, [](const Table::Row& a, const Table::Row& b) {
        return std::get<double>(a.cells[4].value.held()) > std::get<double>(b.cells[4].value.held());
    });
    if (const double total = ms[0] + ms[1] + ms[2]; total > 0)
        table.summary = "estimated time of all operations: " + formatEstimate(total) +
                        (ms[0] + ms[1] > 0 ? ", " + sharesText(ms) : "") + "\n";
    return table;
}

}  // namespace aotscope
