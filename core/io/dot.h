#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// The graph in Graphviz's DOT language: a record for every node with its type, an edge for every use. Forward and
/// backward nodes have different fill colours. An operator that runs subgraphs is a cluster that contains a cluster for
/// each subgraph.
std::string printDot(const Graph& graph);

/// `text` as a quoted DOT string.
std::string dotString(std::string_view text);

}  // namespace aotscope
