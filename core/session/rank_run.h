#pragma once

#include "io/rank_timeline.h"
#include "record/options/options.h"
#include "record/results/train_result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

class Session;

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

/// The files of the ranks, and where they run.
struct RankSource {
    /// Files whose names contain the number of a rank are replaced by those of each rank: see namedByRank().
    bool numbered = false;
    /// For remote ranks: run them in the process of this session, if that is on the same machine; null: in a new one.
    const Session* beside = nullptr;
};

/// Called when all ranks are compiled and none has run.
using RanksCompiled = std::function<void(const std::vector<RankRun>&)>;

}  // namespace aotscope
