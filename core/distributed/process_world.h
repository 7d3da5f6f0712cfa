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

/// How a rank gets to the others: by rank 0, which all of them know.
struct RankMeeting {
    std::unique_ptr<RankMesh> mesh;
    std::string ownHost;                      ///< as the others reach it
    std::optional<RankAddress> first;         ///< of rank 0; nothing there
    std::function<void()> stopped = nullptr;  ///< called once, on another thread, if the ranks cannot go on
};

/// The clock of a rank, compared with that of rank 0.
struct RankClock {
    std::chrono::nanoseconds ahead{}, within{};  ///< by how much it is ahead; how far off that may be
};

/// The world as one of several processes sees it. A rank that fails, ends or is killed is known to all others at once;
/// ranks that wait for each other in vain, or for one that does not go on, are stopped.
class ProcessWorld final : public MeetingWorld {
public:
    /// `limit`: how long this rank waits for others that are computing.
    ProcessWorld(const WorldShape& shape, std::chrono::milliseconds limit);

    /// Returns when all ranks are connected. Meanwhile, rank 0 tells `notices` who is missing. Throws Error naming
    /// ranks that do not come in time, that have ended, or that another one cannot reach.
    void meet(RankMeeting meeting, const Launch& launch, const WaitNotices& notices);

    /// By NCCL where GPUs have what is exchanged, and NCCL can; else through the memory of the host, whose collectives
    /// give bit for bit what ranks in one process do.
    void exchange(const RankGroup& group, Contribution mine, Outcome outcome) override;
    void disconnect() {
        if (mesh_) mesh_->stop();  // its events use mesh_
        mesh_.reset();
    }

    /// On rank 0, what each rank says, in their order; elsewhere nothing. Every rank has to come here, at any time.
    std::vector<std::string> gather(const std::string& mine);
    /// Stops when the process that has started this one ends.
    void endWithParent();

    /// What rank 0 says, on all ranks. Every rank has to come here, at any time.
    std::string fromFirst(const std::string& first);
    /// A text and tensors for another rank, which hears them in the order in which they are told.
    struct Heard {
        std::string text;
        std::vector<at::Tensor> tensors;
    };
    void tell(std::size_t to, const std::string& text, std::vector<at::Tensor> tensors);
    Heard hear(std::size_t from, const std::string& waitsFor);
    /// Returns when all ranks have come here. Throws Error if one of them cannot.
    void finish();
    /// Of this rank. Every rank has to come here, at any time.
    RankClock compareClocks();
    /// How long this rank has waited for others until now.
    std::chrono::nanoseconds waited() const;

    /// Why the ranks have stopped; empty: they have not.
    std::string problem() const;
    /// The ranks cannot go on. The first reason counts.
    void stop(const std::string& why);
    /// Tells the problem to the other ranks, and to the user by `say`, unless another rank does that.
    void report(const std::function<void(const std::string& problem)>& say);

private:
    using Clock = std::chrono::steady_clock;

    struct Peer {
        RankStand stand;
        std::optional<RankAddress> address;  ///< known while the ranks meet
        bool connected = false, lost = false;
        std::uint64_t stamp = 0, seen = 0;  ///< changes while it does anything; at the last look
        Clock::time_point heard = Clock::now();
    };

    void bring(const MeetingKey& key, const RankGroup& group, Contribution mine) override;
    void post(std::int64_t rank, const std::string& key, Contribution message) override;
    void await(std::function<bool()> ready, const std::string& waitsFor) override;

    /// Runs `job` of GPUs. If another rank has ended, they notice that first, and do not know which.
    void explained(const std::function<void()>& job);
    void postText(std::size_t to, const std::string& key, const std::string& text, std::vector<at::Tensor> with = {});
    /// Waits for as long as others are computing.
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
    std::atomic<int> parent_{0};  ///< a process; 0: it may end
    std::function<void()> stopped_;

    mutable std::mutex mutex_;  ///< guards what follows
    std::condition_variable changed_;
    std::vector<Peer> peers_;  ///< this rank's place says what it does itself
    Clock::time_point waitingSince_;
    int stillLooks_ = 0;
    bool patient_ = false;   ///< this rank waits for as long as others are computing
    std::size_t texts_ = 0;  ///< sent to or from rank 0 so far; used by the thread of this rank alone
    bool told_ = false;      ///< another rank has told the user
    std::chrono::nanoseconds waited_{};
    std::string problem_;

    GpuGroups gpus_;
    std::unique_ptr<RankMesh> mesh_;  ///< last: its thread uses all of this
};

}  // namespace aotscope
