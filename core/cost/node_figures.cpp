#include "cost/node_figures.h"

#include "cost/book/signature.h"
#include "cost/subgraph_cost.h"
#include "cost/workspace.h"
#include "ir/subgraphs.h"
#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

const KnownCost* knownCostOf(const Node& node, const OperatorCosts& costs) {
    return costs.known.empty() ? nullptr : costs.find(signatureNumber(node));
}

NodeFigure<double> timeOf(const Node& node, const MachineModel& machine, const OperatorCosts& costs) {
    if (isHigherOrder(node) && !subgraphsOf(node).empty()) {
        NodeFigure<double> sum{machine.overhead * 1000, CostBasis::measured};
        sum.value += costWithin(node, [&](const Node& inner) {
            const NodeFigure<double> one = timeOf(inner, machine, costs);
            if (one.value > 0) sum.basis = std::max(sum.basis, one.basis);
            return one.value;
        });
        return sum;
    }
    if (const KnownCost* known = knownCostOf(node, costs); known && known->us) return {*known->us / 1000, known->time};
    return {estimatedMs(node, machine), CostBasis::estimated};
}

NodeFigure<std::int64_t> innerBytesOf(const Node& node, const KnownCost* known, int threads) {
    if (known && known->innerBytes) return {*known->innerBytes, known->bytes};
    return {workspaceBytes(node, threads), CostBasis::estimated};
}

NodeFigure<std::int64_t> innerBytesOf(const Node& node, const OperatorCosts& costs) {
    return innerBytesOf(node, knownCostOf(node, costs), costs.threads);
}

}  // namespace aotscope
