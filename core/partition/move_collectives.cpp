#include "partition/move_collectives.h"

#include "cost/live_memory.h"
#include "ops/collectives.h"
#include "partition/bucket_collectives.h"
#include "partition/collective_places.h"
#include "record/options/option_values.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

/// How often a move that exceeds the memory limit is retried with less.
constexpr int kMostTries = 24;

/// The current graphs.
struct Halves {
    std::shared_ptr<const Graph> forward, backward;
};

LiveMemory memoryOf(const Halves& halves, const FunctionMetadata& metadata) {
    if (!halves.backward) return liveMemory(*halves.forward, metadata);
    Partition partition;
    partition.forward = halves.forward;
    partition.backward = halves.backward;
    return liveMemory(partition, metadata);
}

/// Live bytes during each node of `graph`.
std::vector<std::int64_t> bytesAlong(const Graph& graph, Stage stage, const LiveMemory& memory) {
    std::unordered_map<NodeId, std::int64_t> known;
    for (const MemoryPoint& point : memory.curve)
        if (point.stage == stage && point.node != kNoNode) known[point.node] = point.bytes;
    std::vector<std::int64_t> bytes;
    for (const Node* node : graph.nodes()) {
        const auto found = known.find(node->id());
        bytes.push_back(found != known.end() ? found->second : bytes.empty() ? 0 : bytes.back());
    }
    return bytes;
}

/// Moves collectives up as far as operands and `limit` allow. `bytes`: live bytes at each node. Returns how many moved.
std::size_t issueEarly(Graph& graph, std::vector<std::int64_t> bytes, std::int64_t limit) {
    const CollectivePlaces places(graph.nodes());
    Reordering order(places);
    std::size_t moved = 0;
    for (Node* node : places.nodes()) {
        if (!collectiveOf(*node)) continue;
        const std::size_t now = places.of(node), earliest = places.ready(*node);
        const std::int64_t result = node->type.tensorBytes();
        std::size_t place = now;
        while (place > earliest && bytes[place - 1] + result <= limit) --place;
        for (std::size_t i = place; i < now; ++i) bytes[i] += result;
        order.put(place, node);  // even if it stays, so that others moved to the same place follow it
        if (place < now) ++moved;
    }
    if (moved > 0) graph.reorder(order.order());
    return moved;
}

/// Moves waits, and views of their results, directly before the first use. Returns how many moved.
std::size_t waitLate(Graph& graph) {
    const CollectivePlaces places(graph.nodes());
    Reordering order(places);
    std::size_t moved = 0;
    for (const Node* node : places.nodes()) {
        if (!collectiveOf(*node)) continue;
        const std::size_t use = places.use(*node);
        for (const Node* wait : waitsFor(*node)) {
            const std::vector<Node*> late = places.waitAndViews(*wait, use);
            if (late.empty() || places.of(late.front()) + late.size() == use) continue;  // already there
            for (Node* each : late) order.put(use, each);
            ++moved;
        }
    }
    if (moved > 0) graph.reorder(order.order());
    return moved;
}

NodeId firstFreeId(const Halves& halves, const Graph* joint) {
    NodeId last = kNoNode;
    for (const Graph* graph : {halves.forward.get(), halves.backward.get(), joint})
        if (graph)
            for (const Node* node : graph->nodes()) last = std::max(last, node->id());
    return last + 1;
}

class Mover {
public:
    Mover(Halves halves, const Graph* joint, const FunctionMetadata& metadata, const CollectiveMoves& moves)
        : now_(std::move(halves)), metadata_(metadata), nextId_(firstFreeId(now_, joint)) {
        before_ = memoryOf(now_, metadata).peakBytes;
        limit_ = moves.peakLimit.empty() ? before_ : std::max(before_, parseMemory(moves.peakLimit, "--peak-limit", 1));
    }

    void bucket(std::int64_t most) {
        std::int64_t size = most;
        for (int i = 0; i < kMostTries && size > 0; ++i, size /= 2) {
            std::size_t count = 0;
            NodeId next = nextId_;
            const Halves tried = changed([&](Graph& graph, Stage) {
                const std::size_t joined = bucketCollectives(graph, size, next);
                count += joined;
                return joined;
            });
            if (count == 0) break;
            if (!fits(tried)) continue;
            now_ = tried;
            nextId_ = next;
            log_.push_back(counted(count, "collective") + " in buckets of up to " + formatBytes(size) +
                           (size < most ? ", because larger ones exceed the peak of " + formatBytes(limit_) : ""));
            return;
        }
        log_.push_back("no collectives could be merged");
    }

    void issue() {
        std::int64_t limit = limit_;
        for (int i = 0; i < kMostTries; ++i) {
            const LiveMemory memory = memoryOf(now_, metadata_);
            std::size_t count = 0;
            const Halves tried = changed([&](Graph& graph, Stage stage) {
                const std::size_t moved = issueEarly(graph, bytesAlong(graph, stage, memory), limit);
                count += moved;
                return moved;
            });
            if (count == 0) break;
            const std::int64_t peak = memoryOf(tried, metadata_).peakBytes;
            if (peak <= limit_) {
                now_ = tried;
                log_.push_back(counted(count, "collective") + " issued earlier");
                return;
            }
            limit -= std::max<std::int64_t>(peak - limit_, 1);
        }
        log_.push_back("no collective could be issued earlier within a peak of " + formatBytes(limit_));
    }

    void wait() {
        std::size_t count = 0;
        const Halves tried = changed([&](Graph& graph, Stage) {
            const std::size_t moved = waitLate(graph);
            count += moved;
            return moved;
        });
        if (count > 0 && !fits(tried)) {
            log_.push_back("waiting later would exceed the peak of " + formatBytes(limit_));
            return;
        }
        now_ = tried;
        log_.push_back(counted(count, "collective") + " waited for later");
    }

    MovedCollectives finish() {
        const std::int64_t after = memoryOf(now_, metadata_).peakBytes;
        log_.push_back("simulated peak " + formatBytes(before_) +
                       (after == before_ ? ", as before" : " before, " + formatBytes(after) + " after"));
        return {now_.forward, now_.backward, std::move(log_)};
    }

private:
    bool fits(const Halves& halves) const { return memoryOf(halves, metadata_).peakBytes <= limit_; }

    /// Applies `change` to copies of the graphs, and keeps those that it changes.
    template <typename Change>
    Halves changed(Change&& change) const {
        Halves next = now_;
        for (const auto& [graph, stage] :
             {std::pair{&next.forward, Stage::forward}, std::pair{&next.backward, Stage::backward}}) {
            if (!*graph || exchangesMessages(**graph)) continue;
            const std::shared_ptr<Graph> copy = (*graph)->clone();
            if (change(*copy, stage) == 0) continue;
            copy->indexIds();
            *graph = copy;
        }
        return next;
    }

    Halves now_;
    const FunctionMetadata& metadata_;
    NodeId nextId_;
    std::int64_t before_ = 0, limit_ = 0;
    std::vector<std::string> log_;
};

}  // namespace

MovedCollectives moveCollectives(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                                 const Graph* joint, const FunctionMetadata& metadata, const CollectiveMoves& moves) {
    Mover mover({std::move(forward), std::move(backward)}, joint, metadata, moves);
    if (!moves.bucket.empty()) mover.bucket(parseMemory(moves.bucket, "--bucket", 1));
    if (moves.issueEarly) mover.issue();
    if (moves.waitLate) mover.wait();
    return mover.finish();
}

Partition withMovedCollectives(Partition partition, const Graph& joint, const FunctionMetadata& metadata,
                               const CollectiveMoves& moves) {
    if (!moves.any() || !partition.forward || !partition.backward) return partition;
    MovedCollectives moved = moveCollectives(partition.forward, partition.backward, &joint, metadata, moves);
    partition.forward = std::move(moved.forward);
    partition.backward = std::move(moved.backward);
    return partition;
}

}  // namespace aotscope
