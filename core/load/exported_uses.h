#pragma once

#include "load/export_schema.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope::exported {

/// Who takes each value of a graph, by the value's name, once for every time; null for the graph's outputs. Graphs of
/// regions have names of their own: of those only the node that holds the region is seen.
using Uses = std::unordered_map<std::string, std::vector<const Node*>>;
Uses usesIn(const Graph& graph);

}  // namespace aotscope::exported
