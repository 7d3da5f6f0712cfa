#pragma once

#include "distributed/world_shape.h"
#include "ir/graph.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What a collective computes from the tensors of its group.
enum class CollectiveKind : std::uint8_t {
    allReduce,
    allGather,
    reduceScatter,
    allToAll,
    broadcast,
    send,
    receive,
    batch
};
/// "all-reduce".
std::string_view name(CollectiveKind kind);

/// A parsed call of a collective.
struct Collective {
    CollectiveKind kind = CollectiveKind::allReduce;
    std::string group;                      ///< the name of its process group
    std::optional<std::int64_t> groupSize;  ///< if the call gives it
    std::string reduction;                  ///< "sum", "avg"; empty: no reduction
    std::int64_t inputBytes = 0, resultBytes = 0;
    std::string redistribution;  ///< redistributionOf() for a DTensor, otherwise empty
};

/// "all-reduce (sum)", "all-gather, redistributes Shard(0) -> Replicate()".
std::string kindAndReduction(const Collective& collective);

/// Nothing for other operations, including wait_tensor.
std::optional<Collective> collectiveOf(const Node& node);

/// Whether `op` exchanges tensors with other ranks, or waits for that: "_c10d_functional.",
/// "_c10d_functional_autograd.", "_dtensor.shard_dim_alltoall".
bool communicates(std::string_view op);

/// A message of send, receive or batch. `peer`: within the group.
struct RankMessage {
    std::int64_t peer = 0, tag = 0;
    bool sends = false;
    const Node* tensor = nullptr;
};
bool isMessage(CollectiveKind kind);
/// Messages whose peers and tags are constants, in the order of the call.
std::vector<RankMessage> messagesOf(const Node& node, const Collective& call);

bool isWait(const Node& node);
/// The collective whose result `wait` waits for; null for an input or anything else.
const Node* waitedFor(const Node& wait);
/// The waits for results of `collective`, in graph order.
std::vector<const Node*> waitsFor(const Node& collective);

/// Notes in `groups` the group sizes given by calls in `graph`.
void noteGroupSizes(const Graph& graph, RankGroups& groups);

/// Bytes that each rank in a group of `size` ranks sends and receives, for the algorithms with the least traffic: a
/// ring for reductions and gathers.
std::int64_t bytesOnTheWire(const Collective& collective, std::int64_t size);
/// Bytes that each rank reads if all of them share memory: its own, to copy it, and those of the others.
std::int64_t bytesAtMeeting(const Collective& collective, std::int64_t size);

}  // namespace aotscope
