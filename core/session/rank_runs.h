#pragma once

#include "io/rank_timeline.h"
#include "record/options.h"
#include "record/train_result.h"
#include "support/progress.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

class Debugger;
class RankProcess;
class RanksDebugger;
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

/// The most ranks that run in one process: each has a session of its own.
inline constexpr std::size_t kMostRankThreads = 256;

/// Compiles the model of one rank, with options as optionsOfRank() has them, without running it. Throws Error.
RankRun compileRank(Options options, const Progress& progress);

/// Where the files of ranks are, and where they run.
struct RankSource {
    /// Files whose names have the number of a rank are taken for each of them: see namedByRank().
    bool numbered = false;
    /// On another machine, they run in the process of this session, if that is on the same; null: in one of their own.
    const Session* beside = nullptr;
};

/// Compiles the model for `count` ranks, one after the other, without running it. Throws Error, which names the rank.
std::vector<RankRun> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                  const RankSource& source = {});

/// A run of one rank for stepping. Throws Error if it cannot run.
std::shared_ptr<Debugger> debugRank(const RankRun& run, const Progress& progress);

/// A run of all ranks for stepping, at its start. Throws Error, which names the rank, where it cannot run.
std::shared_ptr<RanksDebugger> debugRanks(const Options& options, const std::vector<RankRun>& runs,
                                          const Progress& progress);

/// Hears of the ranks when all have been compiled and none has run.
using RanksCompiled = std::function<void(const std::vector<RankRun>&)>;

/// Compiles the model for `count` ranks, one after the other, tells `compiled`, which may be null, runs them together
/// as threads of this process, each against eager on the same rank, and has their collectives exchange tensors. In
/// names of files, "{rank}" stands for the number of a rank; random inputs have the seed of the options plus that
/// number. Throws Error, which names ranks and nodes, if the ranks do not fit together or one of them fails.
std::vector<RankRun> checkRanks(const Options& options, std::size_t count, const RankJob& job, const Progress& progress,
                                const RanksCompiled& compiled = nullptr);

/// Throws UsageError for a model on another machine: a rank that is a process runs on this one.
void requireHere(const std::string& model);

/// The same for the rank that this process is. `compiled` may ask the other ranks.
RankRun checkRank(const Options& options, RankProcess& process, const RankJob& job,
                  const std::function<void(const RankRun&)>& compiled = nullptr);

/// The options of one of `count` ranks: "{rank}" in the names of files is replaced, and the seed is its own. Throws
/// UsageError for options that say something else about the world.
Options optionsOfRank(Options options, std::size_t rank, std::size_t count);

/// For the rank that this process is: ranks on one machine have the GPU that the options name, and those behind it.
Options onOwnGpu(Options options, const RankProcess& process);
/// The same for one of the ranks of a program: also as optionsOfRank() has them.
Options optionsOfProcess(const Options& options, const RankProcess& process);

/// `text` with the rank in place of "{rank}".
std::string ofRank(std::string text, std::size_t rank);
/// The other way: a file with "{rank}" in place of the number of a rank in its name, if there is such a file for each
/// of `count` ranks; else `file`. The number stands alone, or behind the word "rank", "stage" or "shard".
std::string namedByRank(const std::string& file, std::size_t count);

/// Throws UsageError, which names the option, for a file that all ranks would write: one without "{rank}" in its name.
/// `what`: what every rank writes there.
void requireOwnFiles(const std::string& option, const std::filesystem::path& file, const std::string& what);

}  // namespace aotscope
