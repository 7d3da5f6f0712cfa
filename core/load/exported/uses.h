#pragma once

#include "load/exported/export_schema.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope::exported {

/// The users of each value of a graph by the value's name, once for every use; null for the graph's outputs. Regions
/// have separate names: only the node that runs the region counts as a user.
using Uses = std::unordered_map<std::string, std::vector<const Node*>>;
Uses usesIn(const Graph& graph);

/// Calls `visit` with `graph`, and with all graphs of its nodes.
template <typename Visit>
void forEachGraph(const Graph& graph, const Visit& visit) {
    visit(graph);
    for (const Node& node : graph.nodes)
        for (const NamedArgument& input : node.inputs)
            if (const auto* region = std::get_if<std::shared_ptr<const Graph>>(&input.value.value))
                forEachGraph(**region, visit);
}

}  // namespace aotscope::exported
