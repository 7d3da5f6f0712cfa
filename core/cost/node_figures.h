#pragma once

#include "cost/machine_model.h"
#include "record/results/operator_costs.h"

namespace aotscope {

/// A figure of a node, and where it comes from.
template <typename Number>
struct NodeFigure {
    Number value = 0;
    CostBasis basis = CostBasis::estimated;
};

// The time and the inner bytes of a node for all displays and decisions: what `costs` says of its signature, otherwise
// the roofline, or a formula.

/// Milliseconds of one call. For a node that runs subgraphs, the sum over these.
NodeFigure<double> timeOf(const Node& node, const MachineModel& machine, const OperatorCosts& costs);

/// What it allocates besides its results, and frees, while it runs. Without that of its subgraphs.
NodeFigure<std::int64_t> innerBytesOf(const Node& node, const OperatorCosts& costs);
/// The same for who has looked up what is known of it, which may be null. `threads`: that it may use.
NodeFigure<std::int64_t> innerBytesOf(const Node& node, const KnownCost* known, int threads);

/// What is known of its signature; null if nothing is.
const KnownCost* knownCostOf(const Node& node, const OperatorCosts& costs);

}  // namespace aotscope
