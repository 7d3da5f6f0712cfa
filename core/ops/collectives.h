#pragma once

#include "distributed/world_shape.h"
#include "ir/graph.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What a collective does with the tensors of its group.
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

/// What a call of a collective says.
struct Collective {
    CollectiveKind kind = CollectiveKind::allReduce;
    std::string group;                      ///< the name of its process group
    std::optional<std::int64_t> groupSize;  ///< where the call says it
    std::string reduction;                  ///< "sum", "avg"; empty: it reduces nothing
    std::int64_t inputBytes = 0, resultBytes = 0;
    std::string redistribution;  ///< of a DTensor, as redistributionOf() has it; empty: of none
};

/// "all-reduce (sum)", "all-gather, redistributes Shard(0) -> Replicate()".
std::string kindAndReduction(const Collective& collective);

/// Nothing for other operations, wait_tensor among them.
std::optional<Collective> collectiveOf(const Node& node);

/// Whether `op` is one of the operators that exchange tensors with other ranks, or waits for one: "_c10d_functional.",
/// "_c10d_functional_autograd.", "_dtensor.shard_dim_alltoall".
bool communicates(std::string_view op);

/// A message of send, receive or batch. `peer`: within the group.
struct RankMessage {
    std::int64_t peer = 0, tag = 0;
    bool sends = false;
    const Node* tensor = nullptr;
};
bool isMessage(CollectiveKind kind);
/// Those whose peers and tags are numbers, in the order of the call.
std::vector<RankMessage> messagesOf(const Node& node, const Collective& call);

bool isWait(const Node& node);
/// The collective whose result `wait` waits for; null: an input, or something else.
const Node* waitedFor(const Node& wait);
/// The waits for results of `collective`, in the order of the graph.
std::vector<const Node*> waitsFor(const Node& collective);

/// Tells `groups` how large the groups are that calls in `graph` say the sizes of.
void noteGroupSizes(const Graph& graph, RankGroups& groups);

/// Bytes that each rank sends and receives, of a group of `size` ranks, in the algorithms with the least traffic: a
/// ring for reductions and gathers.
std::int64_t bytesOnTheWire(const Collective& collective, std::int64_t size);
/// Bytes that each rank reads where all of them have one memory: its own, to copy it, and those of the others.
std::int64_t bytesAtMeeting(const Collective& collective, std::int64_t size);

}  // namespace aotscope
