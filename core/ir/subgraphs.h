#pragma once

#include "ir/graph.h"

#include <optional>
#include <unordered_map>

namespace aotscope {

/// The maximum nesting of subgraphs; readers of files reject anything deeper.
inline constexpr int kDeepestSubgraph = 32;

using Subgraphs = std::vector<std::shared_ptr<const Graph>>;

/// The subgraphs that `node` runs, each once.
Subgraphs subgraphsOf(const Node& node);
/// Those of all nodes of `graph`, in node order, each once; not the subgraphs of these.
Subgraphs subgraphsOf(const Graph& graph);

/// The same with nested subgraphs, each once: shared ones can be reached by many more paths.
Subgraphs subgraphsWithin(const Node& node);
Subgraphs subgraphsWithin(const Graph& graph);

/// A run of a subgraph by one node. Subgraphs number their own nodes, and several nodes may share one; relative to the
/// outer graph, the nodes of each run have unique ids.
struct SubgraphRun {
    const Node* owner = nullptr;  ///< the node that runs it
    NodeId ownerId = kNoNode;     ///< relative to the outer graph, like all ids here
    std::size_t number = 0;       ///< among the subgraphs of its owner
    std::shared_ptr<const Graph> graph;
    NodeId firstId = 0;  ///< offset of its nodes' ids
    NodeId ids = 0;      ///< the number of these ids

    NodeId idOf(const Node& node) const { return firstId + node.id(); }
    /// Null if the id is not one of its nodes.
    const Node* find(NodeId id) const {
        return id < firstId || id - firstId >= ids ? nullptr : graph->findById(id - firstId);
    }
};

/// The first id of nodes in subgraphs, relative to the outer graph.
inline constexpr NodeId kFirstInnerId = 1 << 30;
constexpr bool isInner(NodeId id) { return id >= kFirstInnerId; }

/// All subgraph runs within `graph`, outer ones first. Shared subgraphs can make their number explode, so only the
/// first thousands of nodes are included.
std::vector<SubgraphRun> subgraphRuns(const Graph& graph);
/// The same by owner.
std::unordered_map<NodeId, std::vector<SubgraphRun>> subgraphRunsByOwner(const Graph& graph);
/// The run that a node is in; nothing for a node of `graph` itself.
std::optional<SubgraphRun> runAround(const Graph& graph, NodeId id);
/// The node with this id in `graph` or in its subgraph runs, or null.
const Node* findNode(const Graph& graph, NodeId id);
/// The node of `graph` whose subgraphs contain a node; for a node of `graph` itself, that node.
NodeId outermostOwner(const Graph& graph, NodeId id);

}  // namespace aotscope
