#pragma once

#include "support/progress.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class RanksDebugger;
class Session;

/// How many ranks of a program are stepped together.
struct RankChoice {
    bool communicates = false;  ///< the program has collectives
    std::size_t count = 1;      ///< unless somebody chooses another number
    std::string whyAlone;       ///< why it can be one rank only: a sentence; empty: there may be others
};
/// As the options of `session` or its collectives say, if these are few enough to be compiled unasked.
RankChoice rankChoiceOf(const Session& session);

/// All ranks of an open session's program, stepped together.
struct DebuggedRanks {
    std::shared_ptr<RanksDebugger> run;
    /// For each rank, whether its graphs are those of the session, with the same nodes: of a pipeline, other ranks may
    /// run other stages. The shown one does.
    std::vector<bool> alike;
};
/// Compiles the program for `count` ranks. Files whose names have the number of a rank, as "shard.0.pt", are taken for
/// each of them, if all are there. Throws Error, which names the rank, Cancelled.
DebuggedRanks debugRanksOf(const Session& session, std::size_t count, const Progress& progress);

}  // namespace aotscope
