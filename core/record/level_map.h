#pragma once

#include "record/compile_record.h"
#include "record/lowered_graph.h"

#include <unordered_map>

namespace aotscope {

/// How the nodes of two graphs of one run correspond, in both directions. One node may have become many, by a
/// decomposition or because one operation of the source is several of ATen; the operations of the backward belong to
/// the one that they differentiate.
class LevelMap {
public:
    LevelMap(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB);

    /// For graphs of different runs: by what their nodes are, not by their ids.
    static LevelMap ofRuns(const Graph& a, const Graph& b);
    /// The map to `below`, which was made from b.
    LevelMap through(const LoweredGraph& below) const;

    /// In order of the other graph, those of the forward first; empty if there are none.
    std::vector<NodeId> toB(NodeId node) const { return at(toB_, node); }
    std::vector<NodeId> toA(NodeId node) const { return at(toA_, node); }

private:
    LevelMap() = default;

    using Links = std::unordered_map<NodeId, std::vector<NodeId>>;

    static std::vector<NodeId> at(const Links& links, NodeId node);
    void link(NodeId a, NodeId b);
    void linkRewrites(const CompileRecord& record, const Graph& plain, const Graph& rewritten, bool plainIsA);
    void linkSources(const Graph& a, const Graph& b);
    void linkBackward(const Graph& graph, bool isB);

    Links toB_, toA_;
};

}  // namespace aotscope
