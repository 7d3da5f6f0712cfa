#pragma once

#include "ir/graph.h"
#include "program/constant_table.h"

#include <ATen/core/ivalue.h>

namespace aotscope {

/// A subgraph as the argument of the operator that runs it: the interpreter runs its nodes. `constants` holds those of
/// the whole graph.
c10::IValue planSubgraph(const Graph& subgraph, const ConstantTable& constants);

}  // namespace aotscope
