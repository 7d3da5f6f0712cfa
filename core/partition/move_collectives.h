#pragma once

#include "ir/metadata.h"
#include "record/options/collective_moves.h"
#include "record/partition.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Graphs that run, with their collectives moved, and what was done. A graph that stays as it is is the same one.
struct MovedCollectives {
    std::shared_ptr<const Graph> forward;   ///< or the inference graph
    std::shared_ptr<const Graph> backward;  ///< null: there is none
    std::vector<std::string> log;
};

/// Moves as `moves` ask for, such that the simulated peak is at most the limit, or what it was if that is more.
/// `joint`: whose ids new nodes must not have; null: there is none. Ranks with equal graphs make equal moves; graphs in
/// which ranks send messages to each other stay as they are.
MovedCollectives moveCollectives(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                                 const Graph* joint, const FunctionMetadata& metadata, const CollectiveMoves& moves);

/// The same for a partition.
Partition withMovedCollectives(Partition partition, const Graph& joint, const FunctionMetadata& metadata,
                               const CollectiveMoves& moves);

}  // namespace aotscope
