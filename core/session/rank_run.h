#pragma once

#include "io/rank_timeline.h"
#include "record/options/options.h"
#include "record/results/train_result.h"
#include "support/progress.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

class Debugger;
class Session;

/// The maximum number of ranks in one process: each has its own session.
inline constexpr std::size_t kMostRankThreads = 256;

/// The work of each rank.
struct RankJob {
    std::filesystem::path values = {};          ///< file for its results; empty: none
    std::optional<TimingOptions> timing = {};   ///< also time all ranks together
    std::optional<TrainOptions> training = {};  ///< also train all ranks together
    TrainListener listener = nullptr;           ///< receives the training steps of rank 0
    bool check = true;                          ///< compare with eager first
};

/// One rank of a run of all ranks.
struct RankRun {
    Options options;
    std::shared_ptr<const Session> session;
    CheckResult check;
    std::optional<TimingResult> timing;
    std::optional<TrainResult> training = {};
    std::optional<RankTimeline> timeline = {};  ///< for a rank that is a process and was timed

    const TimingResult* timingOrNull() const { return timing ? &*timing : nullptr; }
};

/// Ranks of a program that were compiled together and can only run together: threads of this process or of one on
/// another machine, the one rank that is this process, or a single rank.
class Ranks {
public:
    virtual ~Ranks() = default;

    /// In rank order.
    const std::vector<RankRun>& runs() const { return runs_; }
    /// Runs them, each against eager on the same rank; their collectives exchange tensors. In file names, "{rank}"
    /// stands for the rank's number. Throws Error, naming ranks and nodes, if the ranks do not match or one of them
    /// fails; Cancelled.
    virtual std::vector<RankRun> run(const RankJob& job, const Progress& progress) const = 0;
    /// A run for stepping, at its start. Throws Error, naming the rank, if it cannot run.
    virtual std::shared_ptr<Debugger> debug(const Progress& progress) const = 0;

protected:
    explicit Ranks(std::vector<RankRun> runs) : runs_(std::move(runs)) {}

private:
    std::vector<RankRun> runs_;
};

/// The files of the ranks, and where they run.
struct RankSource {
    /// Files whose names contain the number of a rank are replaced by those of each rank: see namedByRank().
    bool numbered = false;
    /// Run them in the engine of this session, if that is on the same machine; null: in a new one.
    const Session* beside = nullptr;
};

}  // namespace aotscope
