#pragma once

#include "ir/graph.h"

#include <memory>

namespace aotscope {

/// `graph`, an exported program, for display: its operations as they are written.
std::shared_ptr<const Graph> sourceGraph(const Graph& graph);

}  // namespace aotscope
