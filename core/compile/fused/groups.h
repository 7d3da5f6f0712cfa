#pragma once

#include "compile/fused/kernel.h"
#include "ir/graph.h"

#include <functional>
#include <vector>

namespace aotscope {

/// A tensor that a kernel reads or writes.
struct GroupTensor {
    const Node* node = nullptr;
    std::vector<int> dimensions;    ///< for each dimension of the kernel's space, that of the tensor; -1: of size one
    std::vector<int> indexed = {};  ///< dimensions whose elements are selected by indices
    bool operator==(const GroupTensor&) const = default;
};

/// Operations that one kernel computes.
struct FusionGroup {
    std::vector<const Node*> nodes;  ///< calls, in graph order
    Kernel kernel;
    std::vector<SymExpr> sizes;                ///< of the kernel's space
    std::vector<GroupTensor> inputs, outputs;  ///< the last one in the graph comes first
    std::vector<const Node*> numbers;
    /// By output of the kernel: the group's.
    std::vector<std::size_t> targets;
    /// By output: what is accumulated into; null: zeros, or nothing is accumulated.
    std::vector<const Node*> bases;
};

/// A step to run: a single operation, or a group.
struct GroupedStep {
    const Node* node = nullptr;  ///< null: see `group`
    std::size_t group = 0;
};

struct GroupedGraph {
    std::vector<FusionGroup> groups;
    std::vector<GroupedStep> order;  ///< without nodes that are no longer needed
};

struct GroupingOptions {
    bool reductions = true;
    std::size_t fewestCalls = 2;                ///< a single call is better left to LibTorch's own kernel
    std::function<bool(const Device&)> runsOn;  ///< empty: everywhere
};

/// Groups operations that depend on each other and run over the same positions. No group depends on itself through
/// others, and nothing moves across an operation that writes into its arguments.
GroupedGraph groupOperations(const Graph& graph, const GroupingOptions& options);

}  // namespace aotscope
