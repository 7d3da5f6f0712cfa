#pragma once

#include "ir/graph.h"

#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace aotscope {

/// How nodes of two graphs are paired.
enum class MatchBy : std::uint8_t {
    id,         ///< same id: graphs of one lineage, where passes keep ids
    structure,  ///< inputs by name or position; calls by operation, type, module and occurrence
};

/// In order of the first graph.
using NodePairs = std::vector<std::pair<NodeId, NodeId>>;

NodePairs matchById(const Graph& before, const Graph& after);
/// An unknown type matches any other. Skips nodes in `taken` (of either graph).
NodePairs matchByStructure(const Graph& before, const Graph& after, const std::unordered_set<const Node*>& taken = {});

/// Nodes of two runs, which may name and number them differently: values that are computed alike from the same inputs,
/// then those computed from changed ones. An operation that replaces another one is its counterpart.
NodePairs matchByContent(const Graph& before, const Graph& after);

/// Whether a node of the graph before corresponds to one of the graph after.
using Corresponds = std::function<bool(const Node& before, const Node& after)>;

/// "op aten.add_.Tensor -> aten.add.Tensor; type f32[2] -> f32[3]"; empty if operation, type and arguments are the
/// same. Corresponding operands count as equal.
std::string describeChange(const Node& before, const Node& after, const Corresponds& corresponds);

}  // namespace aotscope
