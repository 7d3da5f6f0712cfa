#pragma once

#include "load/export_schema.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope::exported {

/// The users of each value of a graph by the value's name, once for every use; null for the graph's outputs. Regions
/// have names of their own: only the node with the region counts as user.
using Uses = std::unordered_map<std::string, std::vector<const Node*>>;
Uses usesIn(const Graph& graph);

}  // namespace aotscope::exported
