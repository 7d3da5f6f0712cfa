#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// The graph in Graphviz's DOT language: a record for every node with its type, an edge for every use. Backward nodes
/// are filled with another colour than forward ones. An operator that runs subgraphs is in a cluster with a cluster for
/// each of these.
std::string printDot(const Graph& graph);

/// `text` as a quoted DOT string.
std::string dotString(std::string_view text);

}  // namespace aotscope
