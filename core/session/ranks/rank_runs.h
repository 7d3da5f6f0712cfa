#pragma once

#include "session/rank_options.h"
#include "session/rank_run.h"
#include "support/progress.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace aotscope {

class Debugger;
class RankProcess;

/// The maximum number of ranks in one process: each has its own session.
inline constexpr std::size_t kMostRankThreads = 256;

/// Compiles the model of one rank without running it; options are from optionsOfRank(). Throws Error.
RankRun compileRank(Options options, const Progress& progress);

/// Compiles the model for `count` ranks, one after the other, without running it. Throws Error, naming the rank.
std::vector<RankRun> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                  const RankSource& source = {});

/// A run of one rank for stepping. Throws Error if it cannot run.
std::shared_ptr<Debugger> debugRank(const RankRun& run, const Progress& progress);

/// A run of all ranks for stepping, at its start. Throws Error, naming the rank, if it cannot run.
std::shared_ptr<Debugger> debugRanks(const Options& options, const std::vector<RankRun>& runs,
                                     const Progress& progress);

/// Compiles the model for `count` ranks, one after the other, calls `compiled`, which may be null, and runs them
/// together as threads of this process, each against eager on the same rank; their collectives exchange tensors. In
/// file names, "{rank}" stands for the rank's number, which is also added to the seed of random inputs. Throws Error,
/// naming ranks and nodes, if the ranks do not match or one of them fails.
std::vector<RankRun> checkRanks(const Options& options, std::size_t count, const RankJob& job, const Progress& progress,
                                const RanksCompiled& compiled = nullptr);

/// The same for this process's rank, with a local model. `compiled` may communicate with other ranks.
RankRun checkRank(const Options& options, RankProcess& process, const RankJob& job,
                  const std::function<void(const RankRun&)>& compiled = nullptr);

/// For this process's rank: ranks on one machine use the GPU in the options, and those after it.
Options onOwnGpu(Options options, const RankProcess& process);
/// The same for one of the ranks of a program, including optionsOfRank().
Options optionsOfProcess(const Options& options, const RankProcess& process);

}  // namespace aotscope
