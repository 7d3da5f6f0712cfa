#pragma once

#include "ir/graph.h"
#include "record/options/partition_options.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// The values of `joint` that the partition function of the plug-in `function` wants to save, by name. Throws
/// UsageError for a plug-in that cannot be used, and Error if the function fails.
using PlanSource = std::function<std::vector<std::string>(const std::filesystem::path& function, const Graph& joint)>;

/// A joint graph for the partitioner: after removing dead code and, for the min-cut, common subexpressions, and on
/// request copies.
struct JointToSplit {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Graph> before = graph;      ///< before these; with the original names
    std::vector<std::pair<NodeId, NodeId>> merged{};  ///< merged or dropped operations, and their replacements
    bool staticParameters = false;                    ///< parameters and buffers are free to save, whatever the options
    std::string whyNot{};                             ///< why it cannot be split, as a sentence; empty if it can
    PlanSource plans{};                               ///< for options with a partition function
};

/// `options` applied to `joint`: overrides of merged operations apply to their replacements. Throws Error for overrides
/// of operations removed as unused, and if the graph cannot be split.
PartitionOptions optionsFor(const JointToSplit& joint, PartitionOptions options);

}  // namespace aotscope
