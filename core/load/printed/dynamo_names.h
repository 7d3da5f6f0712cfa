#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Gives the placeholders of `graph` the program's names and roles: `source`, TorchDynamo's graph, has the same inputs
/// in the same order, named after their origin (L_self_modules_l_parameters_weight_). Returns false and changes nothing
/// if the inputs do not correspond.
bool nameByDynamo(const Graph& source, Graph& graph);

}  // namespace aotscope
