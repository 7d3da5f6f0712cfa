#pragma once

#include "load/exported_arguments.h"
#include "load/exported_plan.h"

#include <string_view>

namespace aotscope {

/// True for a higher-order operator that just runs a graph: the graph's operations stand in its place.
bool isInlined(std::string_view name);

/// What `node`, a call of the higher-order operator `name`, runs its graph under; the body is left empty. Throws Error
/// for a state that the node does not give.
RegionStep regionOf(const exported::Node& node, std::string_view name, ArgumentPlanner& arguments);

/// Which inputs of a graph that an operator such as cond runs are numbers: the operator takes tensors only.
std::vector<bool> numberInputs(const exported::Graph& graph);

}  // namespace aotscope
