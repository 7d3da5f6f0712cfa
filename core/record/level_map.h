#pragma once

#include "record/compile_record.h"
#include "record/lowered_graph.h"

#include <unordered_map>

namespace aotscope {

/// Maps nodes of one graph of a run to those of another, in both directions. A node may map to several: through a
/// decomposition, or because one source operation is several of ATen; backward operations map to the operation that
/// they differentiate.
class LevelMap {
public:
    LevelMap(const CompileRecord& record, const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB);

    /// For graphs of different runs: matches nodes by content, not by id.
    static LevelMap ofRuns(const Graph& a, const Graph& b);
    /// The composition with the map to `below`, which was made from b.
    LevelMap through(const LoweredGraph& below) const;

    /// In the order of the other graph, forward nodes first; empty if there are none.
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
