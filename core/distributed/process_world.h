#pragma once

#include "distributed/gpu_groups.h"
#include "distributed/launch.h"
#include "distributed/meeting_world.h"
#include "distributed/mesh_message.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>

namespace aotscope {

/// How a rank reaches the others: through rank 0, whose address all of them know.
struct RankMeeting {
    std::unique_ptr<RankMesh> mesh;
    std::string ownHost;                      ///< this rank's host as others see it
    std::optional<RankAddress> first;         ///< the address of rank 0; nothing on rank 0
    std::function<void()> stopped = nullptr;  ///< called once, on another thread, if the ranks cannot continue
};

/// The clock of a rank, compared with that of rank 0.
struct RankClock {
    std::chrono::nanoseconds ahead{}, within{};  ///< how far it is ahead, and the uncertainty of that
};

/// The world as seen by one of several processes. All ranks learn at once of a rank that fails, ends or is killed;
/// ranks in a deadlock, or waiting for one that hangs, are stopped.
class ProcessWorld final : public MeetingWorld {
public:
    /// `limit`: how long this rank waits for others that are computing.
    ProcessWorld(const WorldShape& shape, std::chrono::milliseconds limit);

    /// Returns when all ranks are connected. Meanwhile, rank 0 reports missing ranks to `notices`. Throws Error naming
    /// ranks that do not connect in time, have ended, or cannot be reached.
    void meet(RankMeeting meeting, const Launch& launch, const WaitNotices& notices);

    /// Uses NCCL if the tensors are on GPUs that it can connect; otherwise host memory, whose collectives are bitwise
    /// equal to those of ranks in one process.
    void exchange(const RankGroup& group, Contribution mine, Outcome outcome) override;
    void disconnect() {
        if (mesh_) mesh_->stop();  // its events use mesh_
        mesh_.reset();
    }

    /// On rank 0, the text of each rank in rank order; elsewhere nothing. Every rank must call it, at any time.
    std::vector<std::string> gather(const std::string& mine);
    /// Stops when the parent process ends.
    void endWithParent();

    /// The text of rank 0, on all ranks. Every rank must call it, at any time.
    std::string fromFirst(const std::string& first);
    /// A text and tensors from another rank, received in the order in which they were sent.
    struct Heard {
        std::string text;
        std::vector<at::Tensor> tensors;
    };
    void tell(std::size_t to, const std::string& text, std::vector<at::Tensor> tensors);
    Heard hear(std::size_t from, const std::string& waitsFor);
    /// Returns when all ranks have called it. Throws Error if one of them cannot.
    void finish();
    /// The clock of this rank. Every rank must call it, at any time.
    RankClock compareClocks();
    /// How long this rank has waited for others so far.
    std::chrono::nanoseconds waited() const;

    /// Why the ranks have stopped; empty: they have not.
    std::string problem() const;
    /// Stops the ranks. Only the first reason is kept.
    void stop(const std::string& why);
    /// Reports the problem to the other ranks, and to the user through `say`, unless another rank does that.
    void report(const std::function<void(const std::string& problem)>& say);

private:
    using Clock = std::chrono::steady_clock;

    struct Peer {
        RankStand stand;
        std::optional<RankAddress> address;  ///< known while the ranks connect
        bool connected = false, lost = false;
        std::uint64_t stamp = 0, seen = 0;  ///< changes while it makes progress; at the last check
        Clock::time_point heard = Clock::now();
    };

    void bring(const MeetingKey& key, const RankGroup& group, Contribution mine) override;
    void post(std::int64_t rank, const std::string& key, Contribution message) override;
    void await(std::function<bool()> ready, const std::string& waitsFor) override;

    /// Runs GPU work. If another rank has ended, the GPUs notice first, without knowing which.
    void explained(const std::function<void()>& job);
    void postText(std::size_t to, const std::string& key, const std::string& text, std::vector<at::Tensor> with = {});
    /// Waits as long as others are computing.
    Heard awaitText(const std::string& key, const std::string& waitsFor);
    void tellAll(const nlohmann::json& head);
    void awaitAddresses(std::unique_lock<std::mutex>& lock, const Launch& launch, const WaitNotices& notices);
    void awaitConnections(std::unique_lock<std::mutex>& lock);
    std::vector<std::size_t> ranksWithout(const std::function<bool(const Peer&)>& has) const;
    void connected(std::size_t rank);
    void received(std::size_t from, MeshMessage message);
    void noteAddresses(std::size_t from, const std::vector<RankAddress>& addresses);
    void lost(std::size_t rank, const std::string& why);
    void look();
    std::string whoIsSilent(Clock::time_point now) const;
    bool nobodyMoves();
    std::vector<RankStand> stands() const;

    std::size_t rank_, count_;
    std::chrono::milliseconds limit_;
    Mailbox ownMailbox_{1};
    std::atomic<int> parent_{0};  ///< process id; 0: may end
    std::function<void()> stopped_;

    mutable std::mutex mutex_;  ///< guards the members below
    std::condition_variable changed_;
    std::vector<Peer> peers_;  ///< this rank's own entry describes itself
    Clock::time_point waitingSince_;
    int stillLooks_ = 0;
    bool patient_ = false;   ///< this rank waits as long as others are computing
    std::size_t texts_ = 0;  ///< sent to or from rank 0 so far; used only by this rank's thread
    bool told_ = false;      ///< another rank has informed the user
    std::chrono::nanoseconds waited_{};
    std::string problem_;

    GpuGroups gpus_;
    std::unique_ptr<RankMesh> mesh_;  ///< last: its thread uses all of the above
};

}  // namespace aotscope
