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
    /// The operator that it replaces, which determines its arguments; nothing: the node's own, if any.
    virtual std::optional<c10::OperatorHandle> op() const { return std::nullopt; }
    /// Like CompiledGraph::shownBy.
    virtual std::vector<NodeId> shown() const { return {}; }
};

}  // namespace aotscope
