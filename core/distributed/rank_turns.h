#pragma once

#include "distributed/mailbox.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

namespace aotscope {

/// Where the threads of ranks run. Timed ranks stay on one CPU, so that each finds its data in the caches and times do
/// not depend on scheduling. LibTorch's own threads for parallel operations are not restricted.
enum class RankThreads : std::uint8_t { anywhere, onOneCpu };

/// All the ranks of a world as threads of this process. They take turns: one of them runs until it must wait for
/// others, so that shared state needs no locks, runs are deterministic, and deadlocks are detected at once.
class RankTurns {
public:
    /// Saves state that the ranks share but each must see as its own, such as the RNG state; the result restores it.
    using SaveShared = std::function<std::function<void()>()>;

    /// `shape` has the size and the groups; its rank is ignored.
    RankTurns(WorldShape shape, SaveShared save, RankThreads threads = RankThreads::anywhere);

    /// Runs `job` for every rank, each on its own thread within its World. Throws the first error of a rank, naming it,
    /// or one that names all deadlocked ranks, and where they wait.
    void run(const std::function<void(std::size_t rank)>& job);

private:
    friend class RankWorld;

    struct Rank {
        std::function<bool()> ready;  ///< whether it can continue; empty: it can
        std::string waitsFor;         ///< "%wait_tensor, for its all_reduce ..."
        bool finished = false;
        std::chrono::steady_clock::duration away{};  ///< while others ran
        std::condition_variable turn;
    };

    void runRank(std::size_t rank, const std::function<void(std::size_t)>& job);
    void start(std::size_t rank);
    void finish(std::size_t rank, const std::exception_ptr& error);
    /// Lets others run until `ready`. `mutex_` is not held.
    void await(std::size_t rank, std::function<bool()> ready, const std::string& waitsFor);
    void passTurn();
    void fail(std::exception_ptr error);
    std::string whyNobodyCanGoOn() const;

    WorldShape shape_;
    SaveShared save_;
    RankThreads threads_;
    int cpu_ = -1;  ///< all threads stay on it; negative: not chosen yet
    std::function<void()> restoreFirst_;
    std::mutex mutex_;
    std::vector<Rank> ranks_;
    std::size_t turn_ = 0;
    std::exception_ptr failure_;
    Mailbox mailbox_{0};
};

}  // namespace aotscope
