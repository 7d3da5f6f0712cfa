#pragma once

#include "record/options.h"
#include "record/results.h"
#include "support/progress.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Session;

/// One rank of a run of all ranks.
struct RankRun {
    Options options;
    std::shared_ptr<const Session> session;
    CheckResult check;
};

/// The most ranks that run in one process: each has a session of its own.
inline constexpr std::size_t kMostRankThreads = 256;

/// Compiles the model for `count` ranks, one after the other, runs them together, each against eager on the same rank,
/// and has their collectives exchange tensors. In names of files, "{rank}" stands for the number of a rank; random
/// inputs have the seed of the options plus that number. `values`: where to write what each rank returns; empty:
/// nowhere. Throws Error, which names ranks and nodes, if the ranks do not fit together or one of them fails.
std::vector<RankRun> checkRanks(const Options& options, std::size_t count, const std::filesystem::path& values,
                                const Progress& progress);

/// `text` with the rank in place of "{rank}".
std::string ofRank(std::string text, std::size_t rank);

}  // namespace aotscope
