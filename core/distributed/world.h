#pragma once

#include "distributed/world_shape.h"

#include <ATen/core/Tensor.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

class NcclCommunicator;

/// What one rank brings to a collective.
struct Contribution {
    std::string call;                       ///< what has to be equal on all ranks: "all_reduce (sum) of float[4, 8]"
    std::vector<at::Tensor> tensors;        ///< copies: the rank goes on while others read them
    std::vector<std::int64_t> splits = {};  ///< of all-to-all: the rows for each rank
    std::string place = {};                 ///< the node that made the call; empty: not known
};

/// What all ranks of a group bring, in their order.
class Contributions {
public:
    /// `count` times the same.
    Contributions(std::size_t count, Contribution same) : count_(count), items_{std::move(same)} {}
    explicit Contributions(std::vector<Contribution> items) : count_(items.size()), items_(std::move(items)) {}

    std::size_t size() const { return count_; }
    bool allSame() const { return items_.size() < count_; }
    const Contribution& operator[](std::size_t i) const { return items_[allSame() ? 0 : i]; }
    /// The same with all tensors on `device`.
    Contributions on(c10::Device device) const;

private:
    std::size_t count_;
    std::vector<Contribution> items_;
};

/// What is done with all that the ranks of a group bring.
using TakeContributions = std::function<void(const Contributions&)>;

/// What becomes of a collective.
struct Outcome {
    std::vector<at::Tensor> results;    ///< filled when they are waited for, or at once
    TakeContributions fill;             ///< fills them; throws Error if what the ranks bring does not fit together
    TakeContributions check = nullptr;  ///< the latter alone, which needs no tensors; none: it always does
    /// Has GPUs fill `results`, which are contiguous, on the current stream, from what this rank brings; none: they
    /// cannot.
    std::function<void(const NcclCommunicator&, const std::vector<at::Tensor>& mine,
                       const std::vector<at::Tensor>& results)>
        onGpus = nullptr;
};

/// The ranks among which collectives of the calling thread exchange tensors, seen from one of them. This class stands
/// for ranks that are not there: all of them have the data of this one, and nobody sends anything.
class World : public c10::DebugInfoBase, public std::enable_shared_from_this<World> {
public:
    explicit World(const WorldShape& shape) : groups_(shape) {}

    /// The calling thread's, also on threads of autograd; outside of every WorldScope one of unknown size.
    static std::shared_ptr<World> current();

    RankGroups& groups() { return groups_; }

    /// Brings `mine` to the next collective of `group`.
    virtual void exchange(const RankGroup& group, Contribution mine, Outcome outcome);
    /// `peer`: the place of the other rank in the group.
    virtual void send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message);
    virtual void receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                         at::Tensor result);
    /// Returns when `result` is filled; at once for a tensor that nothing fills.
    virtual void wait(const at::Tensor& result);
    /// How long this rank has let others run in its place, until now; nothing where they do not take turns with it.
    virtual std::chrono::steady_clock::duration away() const { return {}; }
    /// Bytes of memory that were left when the first collective of this run asked.
    std::int64_t room();
    /// Whether `mine` is true on any rank; every rank has to ask.
    virtual bool anyRank(bool mine);

private:
    RankGroups groups_;
    std::optional<std::int64_t> room_;
};

/// The monotonic clock of the calling thread's rank: it stands still while others run in its place.
std::chrono::steady_clock::time_point ownTime();

/// While it lives, `world` is the one of the calling thread, and of threads that get its thread-local state. Autograd
/// runs on the calling thread: with a thread for each GPU, ranks that share one would wait for each other there.
class WorldScope {
public:
    explicit WorldScope(std::shared_ptr<World> world);
    ~WorldScope();
    WorldScope(const WorldScope&) = delete;
    WorldScope& operator=(const WorldScope&) = delete;

    /// Whether the calling thread is within a scope.
    static bool isActive();

private:
    c10::DebugInfoGuard guard_;
    bool hadThreads_;  ///< of autograd
};

}  // namespace aotscope
