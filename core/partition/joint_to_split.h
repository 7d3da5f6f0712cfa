#pragma once

#include "ir/graph.h"
#include "record/options/partition_options.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// A joint graph as the partitioner gets it: after dead-code and, for the min-cut, common-subexpression elimination.
struct JointToSplit {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Graph> before = graph;  ///< these two; with the names that people know
    std::vector<std::pair<NodeId, NodeId>>
        merged{};                   ///< operations that were merged, and those that now stand for them
    bool staticParameters = false;  ///< parameters and buffers are free to save, whatever is asked for
    std::string whyNot{};           ///< why it cannot be split: one sentence; empty if it can
};

/// What `options` ask of `joint`: overrides of merged operations are those of what computes the same. Throws Error for
/// overrides of operations that were removed since nothing uses them, and if the graph cannot be split.
PartitionOptions optionsFor(const JointToSplit& joint, PartitionOptions options);

}  // namespace aotscope
