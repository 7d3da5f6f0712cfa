#pragma once

#include "debug/ranks_debugger.h"
#include "models/tables/value_table.h"
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
    DebugPosition position;
};
/// `ranks`: those that `debugger` steps together; null: a single run. Throws Cancelled.
SeenValues seeValues(const Debugger& debugger, const DebuggedRanks& ranks, const WantedValues& wanted,
                     const Progress& progress);

/// A run that has just been started, of one or several ranks.
struct StartedRun {
    std::shared_ptr<Debugger> debugger;
    DebuggedRanks ranks;
    std::vector<DebugStep> steps;
};
/// Starts a run of `count` ranks, or of the session's own rank.
StartedRun startRun(const Session& session, std::size_t count, const Progress& progress);

/// The session with a partition that differs from its own.
std::shared_ptr<const Session> otherPartition(const std::shared_ptr<const Session>& session, const Progress& progress);

/// The position of a run.
struct RunPlace {
    DebugPosition position;
    std::size_t rank = 0;               ///< the shown one, if ranks are stepped together
    std::vector<RankPlace> ranks = {};  ///< where each of them is
};
/// `run`: another run of the same program, at its start.
void goTo(const StartedRun& run, const RunPlace& there, const Progress& progress);

/// A rank with other graphs has stopped all ranks: `rank` is shown, and no node of `stop`.
void keepInView(const DebuggedRanks& ranks, std::size_t rank, DebugStop& stop);
/// Empty if all ranks are in the same place.
std::string whereRanksAre(const RanksDebugger& run);

}  // namespace aotscope
