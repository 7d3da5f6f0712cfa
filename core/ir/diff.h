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
    structure,  ///< inputs by name, else by position; calls by operation, type, module and how often that occurred
};

/// In order of the first graph.
using NodePairs = std::vector<std::pair<NodeId, NodeId>>;

NodePairs matchById(const Graph& before, const Graph& after);
/// An unknown type matches every other. Nodes in `taken` (of either graph) are left out.
NodePairs matchByStructure(const Graph& before, const Graph& after, const std::unordered_set<const Node*>& taken = {});

/// Nodes of two runs, which name and number them as they like: values that are computed alike from the same inputs,
/// then what is computed from what has changed. An operation that takes another one's place is its counterpart.
NodePairs matchByContent(const Graph& before, const Graph& after);

/// Whether a node of the graph before stands for one of the graph after.
using Corresponds = std::function<bool(const Node& before, const Node& after)>;

/// "op aten.add_.Tensor -> aten.add.Tensor; type f32[2] -> f32[3]"; empty if operation, type and arguments are the
/// same. Operands that correspond are equal.
std::string describeChange(const Node& before, const Node& after, const Corresponds& corresponds);

}  // namespace aotscope
