#pragma once

#include "support/progress.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Debugger;
class Engine;
class Session;

/// How many ranks of a program to step together.
struct RankChoice {
    bool communicates = false;  ///< the program has collectives
    std::size_t count = 1;      ///< by default
    std::string whyAlone;       ///< why only one rank is possible, as a sentence; empty: several are
};
/// From the options of `session` or its collectives, if they are few enough to be compiled without asking.
RankChoice rankChoiceOf(const Session& session);

/// All ranks of an open session's program, stepped together.
struct DebuggedRanks {
    std::shared_ptr<Debugger> run;
    /// For each rank, whether its graphs are those of the session, with the same nodes: in a pipeline, other ranks may
    /// run other stages. True for the shown one.
    std::vector<bool> alike = {};
};
/// Compiles the program for `count` ranks; a single one is the session's own. Files whose names contain the number of a
/// rank, such as "shard.0.pt", are replaced by those of each rank, if all exist. Throws Error, naming the rank;
/// Cancelled.
DebuggedRanks debugRanksOf(const Engine& engine, const Session& session, std::size_t count, const Progress& progress);

}  // namespace aotscope
