#pragma once

#include "ir/graph.h"
#include "record/partition.h"

#include <string>
#include <vector>

namespace aotscope {

/// An all-gather of a sharded parameter: the chain from the shard, through views and casts, to the gathered parameter
/// and its views and casts. FSDP calls this unshard.
struct Unshard {
    std::string parameter;  ///< the user's name for it
    NodeId shard = kNoNode, gather = kNoNode, wait = kNoNode;
    std::vector<NodeId> before;  ///< operations between the shard and the gather
    std::vector<NodeId> after;   ///< the gather, and everything that holds or views its result
    std::int64_t shardBytes = 0, gatheredBytes = 0;

    bool has(NodeId node) const;
    /// All operations, from the shard on.
    std::vector<NodeId> chain() const;
};

/// The unshards of a joint, forward or inference graph, in order of the gathers.
std::vector<Unshard> unshardsOf(const Graph& graph);

/// Where the backward gets a gathered parameter from.
enum class UnshardFate : std::uint8_t {
    unused,    ///< the backward does not need it
    saved,     ///< kept from the forward
    repeated,  ///< gathered again: resharded after the forward
};
/// "gathered in the forward only".
std::string_view describe(UnshardFate fate);
UnshardFate fateOf(const Unshard& unshard, const Partition& partition);
/// How many bytes of its gathered result are saved.
std::int64_t savedBytesOf(const Unshard& unshard, const Partition& partition);

/// The operations to repeat in the backward so that `parameters` are gathered there again: names of parameters or of
/// their nodes, or "all". Throws Error for a name that is not that of a sharded parameter.
std::vector<NodeId> operationsToRepeat(const Graph& joint, const std::vector<std::string>& parameters);

}  // namespace aotscope
