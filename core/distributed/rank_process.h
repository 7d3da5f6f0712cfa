#pragma once

#include "distributed/launch.h"
#include "distributed/world_shape.h"
#include "support/progress.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class ProcessWorld;
class Rendezvous;

/// This process as one of the ranks started by a launcher.
class RankProcess {
public:
    /// `groups`: the layout of the groups. `limit`: how long to wait for others. Throws Error for an impossible world,
    /// and for an unknown address.
    RankProcess(const Launch& launch, const std::vector<std::string>& groups, std::chrono::milliseconds limit);
    ~RankProcess();
    RankProcess(const RankProcess&) = delete;
    RankProcess& operator=(const RankProcess&) = delete;

    std::size_t rank() const { return rank_; }
    std::size_t count() const { return count_; }
    bool isFirst() const { return rank_ == 0; }
    /// Among the ranks on this machine, if the launcher says so.
    std::size_t localRank() const { return launch_.localRank.value_or(rank_); }

    /// Connects to the other ranks; call first. Throws Error naming ranks that do not connect, or end too early.
    void meet(const WaitNotices& notices);

    /// Runs `job` in the world of all ranks, whose collectives exchange tensors. Throws Error if it fails, here or on
    /// another rank, naming that rank; `job` is then canceled.
    void run(const std::function<void(const Progress&)>& job);
    /// All ranks must call these, within `job` or outside; they throw Error as run() does. gather: on rank 0, the text
    /// of each rank in rank order, elsewhere nothing; anyRank: whether `mine` is true on any; fromFirst: rank 0's text.
    std::vector<std::string> gather(const std::string& mine);
    bool anyRank(bool mine);
    std::string fromFirst(const std::string& first);
    /// Distributes `count` points among the ranks round-robin and runs them outside of their world. On rank 0, returns
    /// the results in order of the points; elsewhere nothing. Throws Error as run() does.
    std::vector<std::string> share(std::size_t count,
                                   const std::function<std::string(std::size_t point, const Progress&)>& job);
    /// The world that run() is in.
    ProcessWorld& world() { return *world_; }
    /// Returns when all ranks have called it.
    void finish();
    /// Ends the ranks with an error: informs the others, and the user through `say`, unless another rank does that.
    void report(const std::string& error, const std::function<void(const std::string&)>& say);

private:
    void guarded(const std::function<void()>& job);

    std::size_t rank_, count_;
    Launch launch_;
    std::unique_ptr<Rendezvous> rendezvous_;  ///< null: all are connected
    Progress progress_;                       ///< canceled when the ranks have stopped
    std::shared_ptr<ProcessWorld> world_;
};

}  // namespace aotscope
