#pragma once

#include "record/options/options.h"

#include <filesystem>

namespace aotscope {

class RankFlags;
struct CompileRecord;
struct ProcessCosts;
struct RankJob;
struct TimingResult;

/// Files about all ranks; empty: not written.
struct RankFiles {
    std::filesystem::path report, timeline, csv;
};

/// For 'aotscope run' with several ranks: throws UsageError for options of a single one.
void requireOptionsOfRanks(const RankFlags& ranks, const Options& options);

/// Runs and prints all ranks. Returns the exit code. `bisect`: also find the first node that differs.
int runRanks(const RankFlags& flags, const Options& options, const RankJob& job, const RankFiles& files, bool bisect);

/// What was measured on one rank, without waiting for the others, beside a simulation with `costs`.
void printAgainstMeasured(const CompileRecord& record, const Options& options, const TimingResult& timing,
                          const ProcessCosts& costs);

}  // namespace aotscope
