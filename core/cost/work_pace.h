#pragma once

#include "cost/machine_model.h"

namespace aotscope {

/// How fast `machine` does the work of an operation, besides moving memory; null: memory alone limits it.
const Pace* paceOf(const Node& node, const NodeCost& cost, const MachineModel& machine);

/// The amount of that work: arithmetic of products, elements of everything else.
double workOf(const NodeCost& cost);

}  // namespace aotscope
