#include "distributed/rank_turns.h"

#include "distributed/meeting_world.h"
#include "support/error.h"

#include <ATen/Parallel.h>

#include <thread>

#include <sched.h>

namespace aotscope {

namespace {

/// Thrown to stop a rank after another one has failed.
class RanksStopped : public Error {
public:
    using Error::Error;
};

/// Does nothing if the system does not allow it.
void stayOn(int cpu) {
    if (cpu < 0) return;
    // LibTorch's threads would inherit the restriction if they were started later.
    at::parallel_for(0, at::get_num_threads(), 1, [](std::int64_t, std::int64_t) {});
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    ::sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

/// The world as seen by one of the ranks.
class RankWorld final : public MeetingWorld {
public:
    RankWorld(RankTurns& turns, const WorldShape& shape)
        : MeetingWorld(shape, turns.mailbox_), turns_(turns), rank_(static_cast<std::size_t>(shape.rank)) {}

    std::chrono::steady_clock::duration away() const override { return turns_.ranks_[rank_].away; }

private:
    void bring(const MeetingKey& key, const RankGroup& group, Contribution mine) override {
        mailbox_.bring(key, static_cast<std::size_t>(group.size()), group.index, std::move(mine));
    }
    void post(std::int64_t /*rank*/, const std::string& key, Contribution message) override {
        mailbox_.post(key, std::move(message));
    }
    void await(std::function<bool()> ready, const std::string& waitsFor) override {
        turns_.await(rank_, std::move(ready), waitsFor);
    }

    RankTurns& turns_;
    std::size_t rank_;
};

RankTurns::RankTurns(WorldShape shape, SaveShared save, RankThreads threads)
    : shape_(std::move(shape)), save_(std::move(save)), threads_(threads), ranks_(shape_.size) {
    requireSound(shape_);
    check(!ranks_.empty(), "no ranks to run");
}

void RankTurns::run(const std::function<void(std::size_t rank)>& job) {
    restoreFirst_ = save_();
    {
        std::vector<std::jthread> threads;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            threads.emplace_back([this, rank, &job] { runRank(rank, job); });
    }
    restoreFirst_();
    if (failure_) std::rethrow_exception(failure_);
}

void RankTurns::runRank(std::size_t rank, const std::function<void(std::size_t)>& job) {
    std::exception_ptr error;
    try {
        start(rank);
        WorldShape shape = shape_;
        shape.rank = rank;
        const WorldScope scope(std::make_shared<RankWorld>(*this, shape));
        job(rank);
    } catch (...) {
        error = std::current_exception();
    }
    finish(rank, error);
}

void RankTurns::start(std::size_t rank) {
    std::unique_lock lock(mutex_);
    ranks_[rank].turn.wait(lock, [&] { return turn_ == rank || failure_; });
    if (failure_) throw RanksStopped("another rank has failed");
    restoreFirst_();
    if (threads_ == RankThreads::anywhere) return;
    if (cpu_ < 0) cpu_ = ::sched_getcpu();
    stayOn(cpu_);
}

void RankTurns::finish(std::size_t rank, const std::exception_ptr& error) {
    const std::lock_guard lock(mutex_);
    ranks_[rank].finished = true;
    ranks_[rank].ready = nullptr;
    if (error && !failure_) {
        try {
            std::rethrow_exception(error);
        } catch (const Cancelled&) {
            return fail(error);
        } catch (...) {
            return fail(std::make_exception_ptr(Error("rank " + std::to_string(rank) + ": " + described(error))));
        }
    }
    if (!failure_) passTurn();
}

void RankTurns::await(std::size_t rank, std::function<bool()> ready, const std::string& waitsFor) {
    std::unique_lock lock(mutex_);
    Rank& me = ranks_[rank];
    const auto stopped = [&] {
        if (failure_) throw RanksStopped("stopped, since " + described(failure_));
    };
    stopped();
    if (ready()) return;
    const std::function<void()> restore = save_();
    me.ready = std::move(ready);
    me.waitsFor = waitsFor;
    const auto left = std::chrono::steady_clock::now();
    passTurn();
    me.turn.wait(lock, [&] { return turn_ == rank || failure_; });
    me.away += std::chrono::steady_clock::now() - left;
    me.ready = nullptr;
    stopped();
    restore();
}

/// Passes the turn to the next rank that can continue.
void RankTurns::passTurn() {
    bool allFinished = true;
    for (std::size_t i = 1; i <= ranks_.size(); ++i) {
        const std::size_t next = (turn_ + i) % ranks_.size();
        Rank& rank = ranks_[next];
        if (rank.finished) continue;
        allFinished = false;
        if (rank.ready && !rank.ready()) continue;
        turn_ = next;
        rank.turn.notify_all();
        return;
    }
    if (!allFinished) fail(std::make_exception_ptr(Error(whyNobodyCanGoOn())));
}

void RankTurns::fail(std::exception_ptr error) {
    failure_ = std::move(error);
    for (Rank& rank : ranks_) rank.turn.notify_all();
}

std::string RankTurns::whyNobodyCanGoOn() const {
    std::vector<RankStand> stands;
    for (const Rank& rank : ranks_) stands.push_back({rank.waitsFor, rank.finished});
    return standstillText(stands);
}

}  // namespace aotscope
