#pragma once

#include "ir/metadata.h"
#include "record/options/collective_moves.h"
#include "record/partition.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Graphs with moved collectives, and what was done. Unchanged graphs are the same objects.
struct MovedCollectives {
    std::shared_ptr<const Graph> forward;   ///< or the inference graph
    std::shared_ptr<const Graph> backward;  ///< may be null
    std::vector<std::string> log;
};

/// Moves collectives according to `moves`, such that the simulated peak is at most the limit, or the previous peak if
/// that is higher. `joint`: its ids are not used for new nodes; may be null. Ranks with equal graphs make equal moves;
/// graphs in which ranks send messages to each other are not changed.
MovedCollectives moveCollectives(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                                 const Graph* joint, const FunctionMetadata& metadata, const CollectiveMoves& moves);

/// The same for a partition.
Partition withMovedCollectives(Partition partition, const Graph& joint, const FunctionMetadata& metadata,
                               const CollectiveMoves& moves);

}  // namespace aotscope
