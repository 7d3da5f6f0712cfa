#pragma once

#include "session/rank_options.h"
#include "session/rank_run.h"
#include "support/progress.h"

#include <cstddef>
#include <memory>

namespace aotscope {

class RankProcess;

/// Compiles the model for `count` ranks, one after the other, without running it; they are threads of this process, or
/// of one on the model's machine. In file names, "{rank}" stands for the rank's number, which is also added to the seed
/// of random inputs. Throws Error, naming the rank.
std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                          const RankSource& source = {});

/// The same for this process's rank, with a local model, while the other processes compile theirs.
std::shared_ptr<const Ranks> compileRank(const Options& options, RankProcess& process);

/// A session as the single rank of its program.
std::shared_ptr<const Ranks> singleRank(std::shared_ptr<const Session> session);

/// For this process's rank: ranks on one machine use the GPU in the options, and those after it.
Options onOwnGpu(Options options, const RankProcess& process);

}  // namespace aotscope
