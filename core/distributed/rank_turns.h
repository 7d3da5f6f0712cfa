#pragma once

#include "distributed/mailbox.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

namespace aotscope {

/// Where the threads of ranks run. Those that are timed stay on one CPU: each finds what it needs in its caches, and
/// their times do not depend on where the system puts which of them. The threads with which LibTorch divides an
/// operation go where they like.
enum class RankThreads : std::uint8_t { anywhere, onOneCpu };

/// All the ranks of a world as threads of this process. They take turns: one of them runs until it has to wait for
/// others, so that what the process shares needs no locks, runs are the same every time, and ranks that wait for each
/// other forever are noticed at once instead of after some time.
class RankTurns {
public:
    /// Saves what the ranks share and each of them has its own idea of, such as the RNG state; the result restores it.
    using SaveShared = std::function<std::function<void()>()>;

    /// `shape` has the size and the groups; its rank means nothing.
    RankTurns(WorldShape shape, SaveShared save, RankThreads threads = RankThreads::anywhere);

    /// Runs `job` for every rank, each on a thread of its own within its World. Throws the first error of a rank, which
    /// it names, or one that names all the ranks that wait for others in vain, and where.
    void run(const std::function<void(std::size_t rank)>& job);

private:
    friend class RankWorld;

    struct Rank {
        std::function<bool()> ready;  ///< whether it can go on; none: it can
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
    int cpu_ = -1;  ///< on which all of them stay; negative: not chosen yet
    std::function<void()> restoreFirst_;
    std::mutex mutex_;
    std::vector<Rank> ranks_;
    std::size_t turn_ = 0;
    std::exception_ptr failure_;
    Mailbox mailbox_{0};
};

}  // namespace aotscope
