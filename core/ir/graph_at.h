#pragma once

#include "ir/graph.h"

#include <memory>

namespace aotscope {

/// A copy of `graph`, subgraphs included, as though its example had had these sizes: all numbers in types are those for
/// `values`, which must have every symbol of its types. The expressions stay, so it can be evaluated again. Storages of
/// which its tensors cover a part grow in proportion to that part. Throws Error as SymExpr::evaluate does.
std::shared_ptr<const Graph> graphAt(const Graph& graph, const SymbolValues& values);

}  // namespace aotscope
