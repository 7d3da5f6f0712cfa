#pragma once

#include "cli/launched_ranks.h"
#include "record/options/options.h"

#include <CLI/App.hpp>

#include <filesystem>

namespace aotscope {

struct RankJob;

/// Files about all ranks; empty: not written.
struct RankFiles {
    std::filesystem::path report, timeline, csv;
};

/// All ranks of a distributed program for 'aotscope run': those of --ranks, as threads of this process, or those
/// started by a launcher.
class RankOptions {
public:
    void addTo(CLI::App& app);
    /// Throws UsageError.
    void check(const Options& options);
    bool given() const { return count_ > 0 || launched_.areThere(); }

    /// Runs and prints all ranks. Returns the exit code. `bisect`: also find the first node that differs.
    int run(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const;

private:
    int runLaunched(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const;

    int count_ = 0;
    LaunchedRanks launched_;
};

}  // namespace aotscope
