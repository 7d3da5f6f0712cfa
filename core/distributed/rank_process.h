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

/// This process as one of the ranks that a launcher has started.
class RankProcess {
public:
    /// `groups`: how the ranks lie in the world. `limit`: how long to wait for others. Throws Error for a world that
    /// cannot be, and for an address that is not known.
    RankProcess(const Launch& launch, const std::vector<std::string>& groups, std::chrono::milliseconds limit);
    ~RankProcess();
    RankProcess(const RankProcess&) = delete;
    RankProcess& operator=(const RankProcess&) = delete;

    std::size_t rank() const { return rank_; }
    std::size_t count() const { return count_; }
    bool isFirst() const { return rank_ == 0; }
    /// Among the ranks on this machine, as far as the launcher says.
    std::size_t localRank() const { return launch_.localRank.value_or(rank_); }

    /// Meets the other ranks; before all else. Throws Error naming ranks that do not come, or end before all have come.
    void meet(const WaitNotices& notices);

    /// Runs `job` in the world of all ranks, whose collectives exchange tensors. Throws Error if it fails, here or on
    /// another rank, naming that rank; `job` is then cancelled.
    void run(const std::function<void(const Progress&)>& job);
    /// What all ranks have to ask, within `job` or outside; throw Error as run() does. On rank 0, what each rank says,
    /// in their order, and nothing elsewhere; whether `mine` is true on any rank; what rank 0 says.
    std::vector<std::string> gather(const std::string& mine);
    bool anyRank(bool mine);
    std::string fromFirst(const std::string& first);
    /// Divides `count` points among the ranks, each of which does every so many of them, outside of their world. On
    /// rank 0 the results, in the order of the points; elsewhere nothing. Throws Error as run() does.
    std::vector<std::string> share(std::size_t count,
                                   const std::function<std::string(std::size_t point, const Progress&)>& job);
    /// The world that run() is in.
    ProcessWorld& world() { return *world_; }
    /// Returns when all ranks have come here.
    void finish();
    /// The ranks end with an error: tells the others, and the user by `say`, unless another rank does that.
    void report(const std::string& error, const std::function<void(const std::string&)>& say);

private:
    void guarded(const std::function<void()>& job);

    std::size_t rank_, count_;
    Launch launch_;
    std::unique_ptr<Rendezvous> rendezvous_;  ///< null: all have met
    Progress progress_;                       ///< cancelled when the ranks have stopped
    std::shared_ptr<ProcessWorld> world_;
};

}  // namespace aotscope
