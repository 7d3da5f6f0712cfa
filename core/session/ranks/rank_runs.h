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
class RanksDebugger;

/// The most ranks that run in one process: each has a session of its own.
inline constexpr std::size_t kMostRankThreads = 256;

/// Compiles the model of one rank, with options as optionsOfRank() has them, without running it. Throws Error.
RankRun compileRank(Options options, const Progress& progress);

/// Compiles the model for `count` ranks, one after the other, without running it. Throws Error, which names the rank.
std::vector<RankRun> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                  const RankSource& source = {});

/// A run of one rank for stepping. Throws Error if it cannot run.
std::shared_ptr<Debugger> debugRank(const RankRun& run, const Progress& progress);

/// A run of all ranks for stepping, at its start. Throws Error, which names the rank, where it cannot run.
std::shared_ptr<RanksDebugger> debugRanks(const Options& options, const std::vector<RankRun>& runs,
                                          const Progress& progress);

/// Compiles the model for `count` ranks, one after the other, tells `compiled`, which may be null, runs them together
/// as threads of this process, each against eager on the same rank, and has their collectives exchange tensors. In
/// names of files, "{rank}" stands for the number of a rank; random inputs have the seed of the options plus that
/// number. Throws Error, which names ranks and nodes, if the ranks do not fit together or one of them fails.
std::vector<RankRun> checkRanks(const Options& options, std::size_t count, const RankJob& job, const Progress& progress,
                                const RanksCompiled& compiled = nullptr);

/// The same for the rank that this process is, of a model on this machine. `compiled` may ask the other ranks.
RankRun checkRank(const Options& options, RankProcess& process, const RankJob& job,
                  const std::function<void(const RankRun&)>& compiled = nullptr);

/// For the rank that this process is: ranks on one machine have the GPU that the options name, and those behind it.
Options onOwnGpu(Options options, const RankProcess& process);
/// The same for one of the ranks of a program: also as optionsOfRank() has them.
Options optionsOfProcess(const Options& options, const RankProcess& process);

}  // namespace aotscope
