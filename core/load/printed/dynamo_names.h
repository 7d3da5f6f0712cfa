#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Gives the placeholders of `graph` the names and roles that the program has for them: TorchDynamo's graph
/// `source` has the same inputs in the same order, named after where they come from
/// (L_self_modules_l_parameters_weight_). False, and nothing is changed, when the inputs do not correspond.
bool nameByDynamo(const Graph& source, Graph& graph);

}  // namespace aotscope
