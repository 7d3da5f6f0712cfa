#pragma once

#include "ir/graph.h"
#include "record/options/partition_options.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// A joint graph for the partitioner: after removing dead code and, for the min-cut, common subexpressions.
struct JointToSplit {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Graph> before = graph;      ///< before both; with the original names
    std::vector<std::pair<NodeId, NodeId>> merged{};  ///< merged operations, and their replacements
    bool staticParameters = false;                    ///< parameters and buffers are free to save, whatever the options
    std::string whyNot{};                             ///< why it cannot be split, as a sentence; empty if it can
};

/// `options` applied to `joint`: overrides of merged operations apply to their replacements. Throws Error for overrides
/// of operations removed as unused, and if the graph cannot be split.
PartitionOptions optionsFor(const JointToSplit& joint, PartitionOptions options);

}  // namespace aotscope
