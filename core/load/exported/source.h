#pragma once

#include "ir/graph.h"

#include <memory>

namespace aotscope {

/// The graph of an exported program for display: its operations as written.
std::shared_ptr<const Graph> sourceGraph(const Graph& graph);

}  // namespace aotscope
