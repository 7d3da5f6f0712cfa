#pragma once

#include "ir/node_attributes.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>
#include <vector>

namespace aotscope {

/// A kernel that LibTorch does not have. Takes its arguments from the stack and leaves its results there. Thread-safe.
class StepKernel {
public:
    virtual ~StepKernel() = default;
    virtual void call(torch::jit::Stack& stack) const = 0;
    /// The operator that it stands for, as whose arguments it takes those of the node; none: the node's own, if it is
    /// one.
    virtual std::optional<c10::OperatorHandle> op() const { return std::nullopt; }
    /// As CompiledGraph::shownBy has it.
    virtual std::vector<NodeId> shown() const { return {}; }
};

}  // namespace aotscope
