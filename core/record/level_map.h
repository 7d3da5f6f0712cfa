#pragma once

#include "ir/id_table.h"
#include "record/lowered_graph.h"
#include "record/replacements.h"

#include <unordered_map>
#include <unordered_set>

namespace aotscope {

/// Maps nodes of one graph of a run to those of another, in both directions. Everything that compares graphs or follows
/// nodes uses it: a node is the same, replaced, only related (a backward operation to the one that it differentiates,
/// operations on the same source line), or without counterpart.
class LevelMap {
public:
    LevelMap(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB);

    /// For graphs of different runs: matches nodes by content, not by id.
    static LevelMap ofRuns(const Graph& a, const Graph& b);
    /// The composition with the map to `below`, which was derived from b.
    LevelMap through(const LoweredGraph& below) const;

    /// Whether every pass between the two graphs has kept the ids of surviving nodes.
    bool keepsIds() const { return keepsIds_; }
    /// The same, without a map.
    static bool keepsIds(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b,
                         GraphKind kindOfB);
    /// Nodes that are the same in both graphs, in order of a.
    const NodePairs& pairs() const { return pairs_; }
    /// Operations of a replaced by those of b, or vice versa: `before` are those of a.
    const Replacements& replacements() const { return replacements_; }

    /// Whether a value of a is the same in b, or is computed by the replacement of its operation.
    bool corresponds(NodeId a, NodeId b) const;
    NodeId twinOf(NodeId a) const;
    /// How a node of a differs from its twin in b; empty if it does not.
    std::string changeOf(const Node& a, const Node& b) const;
    /// The node of b that a node of a was merged into; kNoNode if it was not merged.
    NodeId mergedInto(NodeId a) const;
    /// Null if it is not replaced.
    const Replacement* replacementOf(NodeId a) const;

    /// Includes related nodes; the same node comes first, or the one that represents all replacements.
    std::vector<NodeId> toB(NodeId node) const { return at(twins_, toB_, node); }
    std::vector<NodeId> toA(NodeId node) const { return at(twinsOfB_, toA_, node); }

private:
    LevelMap() = default;

    using Links = std::unordered_map<NodeId, std::vector<NodeId>>;
    using Twins = IdTable<NodeId>;

    static std::vector<NodeId> at(const Twins& twins, const Links& links, NodeId node);
    bool isLinked(NodeId a, NodeId b) const;
    void match(const Graph& a, const Graph& b, bool backwards, std::unordered_set<const Node*> taken);
    void noteMerged(const CompileRecord& record, const Graph& b);
    void pairOutputs(const Graph& a, const Graph& b);
    void link(NodeId a, NodeId b);
    void linkMatches();
    void linkArguments(const CompileRecord& record, const Graph& a, const Graph& b);
    void linkSources(const Graph& a, const Graph& b);
    void linkBackward(const Graph& graph, bool isB);

    bool keepsIds_ = false;
    NodePairs pairs_;
    Replacements replacements_;
    Twins twins_{kNoNode}, twinsOfB_{kNoNode};                       ///< of a; of b
    std::unordered_map<NodeId, NodeId> merged_;                      ///< of a
    std::unordered_map<NodeId, std::size_t> replacedA_, replacedB_;  ///< indices of replacements_
    Links toB_, toA_;                                                ///< besides twins
};

}  // namespace aotscope
