#pragma once

#include "debug/debugger.h"
#include "models/tables/value_table.h"
#include "session/engine.h"
#include "session/ranks/debugged_ranks.h"

#include <map>

namespace aotscope {

/// What to show of a paused run.
struct WantedValues {
    std::vector<ShownValue> watched;
    std::optional<ShownValue> selected;
    std::vector<std::int64_t> leading;  ///< indices of the picture's other dimensions
    std::map<int, DebugStep> steps;     ///< by row
    std::shared_ptr<const CompileRecord> record;
};
struct SeenValues {
    std::vector<ShownValue> watched;
    std::optional<ShownValue> selected;
    std::optional<ValueImage> image;
    std::map<int, ValueFacts> steps;
};
/// Throws Cancelled.
SeenValues seeValues(const DebuggedRanks& run, const WantedValues& wanted, const Progress& progress);

/// A run that has just been started, of one or several ranks.
struct StartedRun {
    DebuggedRanks ranks;
    std::vector<DebugStep> steps;
};
/// Starts a run of `count` ranks: see debugRanksOf().
StartedRun startRun(const Engine& engine, const Session& session, std::size_t count, const Progress& progress);

/// The session with a partition that differs from its own.
std::shared_ptr<const Session> otherPartition(const Engine& engine, const std::shared_ptr<const Session>& session,
                                              const Progress& progress);

/// A rank with other graphs has stopped all ranks: `rank` is shown, and no node of the stop.
DebugState keepInView(const DebuggedRanks& ranks, std::size_t rank);
/// Empty if all ranks are in the same place.
std::string whereRanksAre(const Debugger& run);

}  // namespace aotscope
