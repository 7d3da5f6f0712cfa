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

/// What each rank does.
struct RankJob {
    std::filesystem::path values = {};          ///< where to write what it returns; empty: nowhere
    std::optional<TimingOptions> timing = {};   ///< also time all ranks together
    std::optional<TrainOptions> training = {};  ///< also train all ranks together
    TrainListener listener = nullptr;           ///< hears of the training steps of rank 0
    bool check = true;                          ///< compare with eager, before all else
};

/// One rank of a run of all ranks.
struct RankRun {
    Options options;
    std::shared_ptr<const Session> session;
    CheckResult check;
    std::optional<TimingResult> timing;
    std::optional<TrainResult> training = {};
    std::optional<RankTimeline> timeline = {};  ///< of a rank that is a process and was timed

    const TimingResult* timingOrNull() const { return timing ? &*timing : nullptr; }
};

/// Where the files of ranks are, and where they run.
struct RankSource {
    /// Files whose names have the number of a rank are taken for each of them: see namedByRank().
    bool numbered = false;
    /// On another machine, they run in the process of this session, if that is on the same; null: in one of their own.
    const Session* beside = nullptr;
};

/// Hears of the ranks when all have been compiled and none has run.
using RanksCompiled = std::function<void(const std::vector<RankRun>&)>;

}  // namespace aotscope
