#pragma once

#include "ir/graph.h"

#include <optional>
#include <unordered_map>

namespace aotscope {

/// Subgraphs nest no deeper than this; readers of files refuse what does.
inline constexpr int kDeepestSubgraph = 32;

using Subgraphs = std::vector<std::shared_ptr<const Graph>>;

/// The subgraphs that `node` runs, each once.
Subgraphs subgraphsOf(const Node& node);
/// Those of all nodes of `graph`, in the order of the nodes, each once; not the subgraphs of these.
Subgraphs subgraphsOf(const Graph& graph);

/// The same with the subgraphs within, each once: where many nodes share them, there are far more ways to them.
Subgraphs subgraphsWithin(const Node& node);
Subgraphs subgraphsWithin(const Graph& graph);

/// A subgraph that one node runs. Subgraphs number their nodes themselves, and several nodes may share one: seen from
/// the graph around, with all that it runs, their nodes have ids of their own.
struct SubgraphRun {
    const Node* owner = nullptr;  ///< the node that runs it
    NodeId ownerId = kNoNode;     ///< seen from the graph around, as all ids here
    std::size_t number = 0;       ///< among the subgraphs of its owner
    std::shared_ptr<const Graph> graph;
    NodeId firstId = 0;  ///< what is added to the ids that its nodes have in it
    NodeId ids = 0;      ///< so many are theirs

    NodeId idOf(const Node& node) const { return firstId + node.id(); }
    /// Null: it is not the id of one of its nodes.
    const Node* find(NodeId id) const {
        return id < firstId || id - firstId >= ids ? nullptr : graph->findById(id - firstId);
    }
};

/// Where the ids of nodes in subgraphs begin, seen from the graph around.
inline constexpr NodeId kFirstInnerId = 1 << 30;
constexpr bool isInner(NodeId id) { return id >= kFirstInnerId; }

/// All that is run within `graph`: what its nodes run first, then what is run within that. Where many nodes share
/// subgraphs, there is no end to it: only the first thousands of nodes count.
std::vector<SubgraphRun> subgraphRuns(const Graph& graph);
/// The same by owner.
std::unordered_map<NodeId, std::vector<SubgraphRun>> subgraphRunsByOwner(const Graph& graph);
/// The run that a node is in; nothing for a node of `graph` itself.
std::optional<SubgraphRun> runAround(const Graph& graph, NodeId id);
/// The node with this id in `graph` or in what is run within it; null: there is none.
const Node* findNode(const Graph& graph, NodeId id);
/// The node of `graph` in whose subgraphs a node is; of a node of `graph` itself, that.
NodeId outermostOwner(const Graph& graph, NodeId id);

}  // namespace aotscope
