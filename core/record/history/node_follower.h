#pragma once

#include "record/level_map.h"

#include <map>
#include <memory>

namespace aotscope {

/// The counterpart of a node in another graph.
struct Followed {
    enum class How : std::uint8_t {
        same,
        replaced,  ///< by others, or it replaces several
        merged,    ///< with another node that computes the same
        related,   ///< not in the graph: what it is computed from, or what it differentiates
        lost
    } how = How::lost;
    std::vector<NodeId> nodes;  ///< the first one represents all

    NodeId first() const { return nodes.empty() ? kNoNode : nodes.front(); }
};

/// Follows nodes through the graphs of one run, nodes of subgraphs through the operators that run them. Caches results
/// for pairs of graphs.
class NodeFollower {
public:
    explicit NodeFollower(std::shared_ptr<const CompileRecord> record);

    const std::shared_ptr<const CompileRecord>& record() const { return record_; }
    Followed follow(const std::shared_ptr<const Graph>& from, GraphKind fromKind, NodeId node,
                    const std::shared_ptr<const Graph>& to, GraphKind toKind);
    /// The map that it uses; valid until the next call.
    const LevelMap& mapOf(const std::shared_ptr<const Graph>& from, GraphKind fromKind,
                          const std::shared_ptr<const Graph>& to, GraphKind toKind);

private:
    Followed followInner(const std::shared_ptr<const Graph>& from, GraphKind fromKind, NodeId node,
                         const std::shared_ptr<const Graph>& to, GraphKind toKind);

    using Pair = std::pair<std::shared_ptr<const Graph>, std::shared_ptr<const Graph>>;

    std::shared_ptr<const CompileRecord> record_;
    std::map<Pair, LevelMap> maps_;
};

}  // namespace aotscope
