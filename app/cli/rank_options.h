#pragma once

#include "cli/launched_ranks.h"
#include "record/options/options.h"

#include <CLI/App.hpp>

#include <filesystem>

namespace aotscope {

struct RankJob;

/// What is written about all ranks; empty: nothing.
struct RankFiles {
    std::filesystem::path report, timeline;
};

/// All ranks of a distributed program for 'aotscope run': those of --ranks, as threads of this process, or those that a
/// launcher has started.
class RankOptions {
public:
    void addTo(CLI::App& app);
    /// Throws UsageError.
    void check(const Options& options);
    bool given() const { return count_ > 0 || launched_.areThere(); }

    /// Runs and prints them. Returns the exit code. `bisect`: finds the first node that differs, if one does.
    int run(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const;

private:
    int runLaunched(const Options& options, const RankJob& job, const RankFiles& files, bool bisect) const;

    int count_ = 0;
    LaunchedRanks launched_;
};

}  // namespace aotscope
