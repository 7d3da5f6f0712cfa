#pragma once

#include "compile/fused/kernel.h"
#include "ir/graph.h"

#include <functional>
#include <vector>

namespace aotscope {

/// A tensor that a kernel reads or writes.
struct GroupTensor {
    const Node* node = nullptr;
    std::vector<int> dimensions;  ///< for each dimension of the kernel's space that of the tensor; -1: of size one
    bool operator==(const GroupTensor&) const = default;
};

/// Operations that one kernel computes.
struct FusionGroup {
    std::vector<const Node*> nodes;  ///< calls, in the graph's order
    Kernel kernel;
    std::vector<SymExpr> sizes;                ///< of the kernel's space
    std::vector<GroupTensor> inputs, outputs;  ///< of the outputs the last one in the graph comes first
    std::vector<const Node*> numbers;
};

/// What is to be run: an operation as it is, or a group.
struct GroupedStep {
    const Node* node = nullptr;  ///< null: `group`
    std::size_t group = 0;
};

struct GroupedGraph {
    std::vector<FusionGroup> groups;
    std::vector<GroupedStep> order;  ///< without nodes that nothing needs any more
};

struct GroupingOptions {
    bool reductions = true;
    std::size_t fewestCalls = 2;                ///< one call is better left to the kernel that LibTorch has for it
    std::function<bool(const Device&)> runsOn;  ///< none: everywhere
};

/// Puts operations that follow from each other and run over the same positions into groups. No group is needed by
/// what it needs itself, and nothing moves across an operation that writes into its arguments.
GroupedGraph groupOperations(const Graph& graph, const GroupingOptions& options);

}  // namespace aotscope
