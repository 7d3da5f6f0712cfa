#pragma once

#include "debug/ranks_debugger.h"
#include "models/tables/value_table.h"
#include "session/ranks/debugged_ranks.h"

#include <map>

namespace aotscope {

/// What is to be seen of a run that is paused.
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
/// `ranks`: those that `debugger` steps together; null: it is one run. Throws Cancelled.
SeenValues seeValues(const Debugger& debugger, const DebuggedRanks& ranks, const WantedValues& wanted,
                     const Progress& progress);

/// A run that has just been started: of one rank, or of several.
struct StartedRun {
    std::shared_ptr<Debugger> debugger;
    DebuggedRanks ranks;
    std::vector<DebugStep> steps;
};
/// A run of `count` ranks, or of the one that the session is.
StartedRun startRun(const Session& session, std::size_t count, const Progress& progress);

/// The session with the partition that it does not have.
std::shared_ptr<const Session> otherPartition(const std::shared_ptr<const Session>& session, const Progress& progress);

/// Where a run stands.
struct RunPlace {
    DebugPosition position;
    std::size_t rank = 0;               ///< the shown one, of ranks that are stepped together
    std::vector<RankPlace> ranks = {};  ///< where these are
};
/// `run`: another one of the same program, at its start.
void goTo(const StartedRun& run, const RunPlace& there, const Progress& progress);

/// A rank whose graphs are not the open ones has stopped all: `rank` is shown, and no node of `stop`.
void keepInView(const DebuggedRanks& ranks, std::size_t rank, DebugStop& stop);
/// Empty if all ranks are in the same place.
std::string whereRanksAre(const RanksDebugger& run);

}  // namespace aotscope
