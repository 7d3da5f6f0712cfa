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

/// One rank's contribution to a collective.
struct Contribution {
    std::string call;                       ///< must be equal on all ranks: "all_reduce (sum) of float[4, 8]"
    std::vector<at::Tensor> tensors;        ///< copies: the rank continues while others read them
    std::vector<std::int64_t> splits = {};  ///< for all-to-all: the rows for each rank
    std::string place = {};                 ///< the calling node; empty: unknown
};

/// The contributions of all ranks of a group, in rank order.
class Contributions {
public:
    /// `count` times the same contribution.
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

/// Processes the contributions of all ranks of a group.
using TakeContributions = std::function<void(const Contributions&)>;

/// How a collective computes its results.
struct Outcome {
    std::vector<at::Tensor> results;    ///< filled when they are waited for, or earlier
    TakeContributions fill;             ///< fills them; throws Error if the contributions do not match
    TakeContributions check = nullptr;  ///< only the check, which needs no tensors; null: it always passes
    /// Fills `results`, which are contiguous, on the GPU's current stream from this rank's tensors; null: unsupported
    /// on GPUs.
    std::function<void(const NcclCommunicator&, const std::vector<at::Tensor>& mine,
                       const std::vector<at::Tensor>& results)>
        onGpus = nullptr;
};

/// The ranks among which collectives of the calling thread exchange tensors, seen from one of them. This class
/// simulates the other ranks: all of them have the data of this one, and nothing is sent.
class World : public c10::DebugInfoBase, public std::enable_shared_from_this<World> {
public:
    explicit World(const WorldShape& shape) : groups_(shape) {}

    /// The calling thread's, also on autograd threads; outside of every WorldScope, one of unknown size.
    static std::shared_ptr<World> current();

    RankGroups& groups() { return groups_; }

    /// Contributes `mine` to the next collective of `group`.
    virtual void exchange(const RankGroup& group, Contribution mine, Outcome outcome);
    /// `peer`: the index of the other rank in the group.
    virtual void send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message);
    virtual void receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                         at::Tensor result);
    /// Returns when `result` is filled; at once for a tensor that no collective fills.
    virtual void wait(const at::Tensor& result);
    /// How long others have run in this rank's place so far; 0 if ranks do not take turns.
    virtual std::chrono::steady_clock::duration away() const { return {}; }
    /// Bytes of memory that were available at the first collective of this run.
    std::int64_t room();
    /// Whether `mine` is true on any rank; every rank must call it.
    virtual bool anyRank(bool mine);

private:
    RankGroups groups_;
    std::optional<std::int64_t> room_;
};

/// The monotonic clock of the calling thread's rank: it stops while others run in its place.
std::chrono::steady_clock::time_point ownTime();

/// During its lifetime, `world` is that of the calling thread, and of threads that inherit its thread-local state.
/// Autograd runs on the calling thread: with one thread per GPU, ranks that share a GPU would deadlock.
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
