#pragma once

#include "ir/node_attributes.h"

#include <ATen/core/stack.h>

#include <vector>

namespace aotscope {

/// A kernel that LibTorch does not have. Takes its arguments from the stack and leaves its results there. Thread-safe.
class StepKernel {
public:
    virtual ~StepKernel() = default;
    virtual void call(torch::jit::Stack& stack) const = 0;
    /// As CompiledGraph::shownBy has it.
    virtual std::vector<NodeId> shown() const { return {}; }
};

}  // namespace aotscope
