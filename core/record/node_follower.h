#pragma once

#include "record/level_map.h"

#include <map>
#include <memory>

namespace aotscope {

/// Whether graphs of these kinds share ids, so that nodes correspond by id.
bool shareIds(const Graph& a, GraphKind kindOfA, const Graph& b, GraphKind kindOfB);

/// The counterpart of a node in another graph.
struct Followed {
    enum class How : std::uint8_t {
        same,
        became,    ///< it was rewritten, or merged with another
        cameFrom,  ///< it does not exist there (any more): what it was made from
        lost
    } how = How::lost;
    std::vector<NodeId> nodes;  ///< the first one represents all

    NodeId first() const { return nodes.empty() ? kNoNode : nodes.front(); }
};

/// Follows nodes through the graphs of one run. Caches results for pairs of graphs.
class NodeFollower {
public:
    explicit NodeFollower(std::shared_ptr<const CompileRecord> record);

    const std::shared_ptr<const CompileRecord>& record() const { return record_; }
    Followed follow(const std::shared_ptr<const Graph>& from, GraphKind fromKind, NodeId node,
                    const std::shared_ptr<const Graph>& to, GraphKind toKind);

private:
    using Pair = std::pair<std::shared_ptr<const Graph>, std::shared_ptr<const Graph>>;

    NodeId mergedInto(NodeId node, const Graph& graph) const;
    const LevelMap& mapOf(const Pair& graphs, GraphKind fromKind, GraphKind toKind);

    std::shared_ptr<const CompileRecord> record_;
    std::unordered_map<NodeId, NodeId> merged_;
    std::map<Pair, LevelMap> maps_;
};

}  // namespace aotscope
