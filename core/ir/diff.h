#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// What became of one node between two graphs.
struct NodeChange {
    enum class Kind : std::uint8_t { added, removed, changed } kind = Kind::added;
    NodeId before = kNoNode, after = kNoNode;
    std::string what;  ///< changed: "op aten.add_.Tensor -> aten.add.Tensor", "type f32[2] -> f32[3]", ...
    bool operator==(const NodeChange&) const = default;
};

struct GraphDiff {
    std::vector<std::pair<NodeId, NodeId>> matched;  ///< before -> after, in order of `before`
    std::vector<NodeChange> changes;
    bool empty() const { return changes.empty(); }
};

/// How nodes of the two graphs are paired.
enum class MatchBy : std::uint8_t {
    id,         ///< same id: graphs of one lineage, where passes keep ids
    structure,  ///< placeholders by position, calls by operation, type, module and how often that occurred before
};

GraphDiff diffGraphs(const Graph& before, const Graph& after, MatchBy matchBy = MatchBy::id);

}  // namespace aotscope
