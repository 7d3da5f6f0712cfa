#pragma once

#include "trace/graph_function.h"

#include <c10/core/Device.h>

namespace torch::autograd {
struct Node;
}

namespace aotscope {

/// A fake for every tensor of a function's example inputs; numbers and None unchanged. Fakes share storages as the real
/// tensors do. They are on `device` if given, else on the real tensors' device.
struct FakeInputs {
    std::vector<c10::IValue> leaves;
    std::vector<bool> requiresGrad;
    std::vector<bool> isLeaf;
    std::vector<std::size_t> duplicateOf;  ///< index of the first leaf that is the very same tensor; else its own

    explicit FakeInputs(const std::vector<c10::IValue>& examples, const std::optional<c10::Device>& device);

    bool anyRequiresGrad() const;
    bool anyDuplicate() const;
};

/// Wraps fake `tensor` for functionalization; the wrapper requires a gradient if asked, and is a leaf or not.
at::Tensor wrapFunctional(const at::Tensor& fake, bool requiresGrad, bool isLeaf);

/// Makes `tensor`, which requires a gradient, the result of an operation, so that in-place operations are allowed on
/// it. No gradient ever flows further back.
void makeNonLeaf(const at::Tensor& tensor);

/// The autograd node of `tensor`, without updating it; null for a leaf.
const torch::autograd::Node* historyOf(const at::Tensor& tensor);

/// The fake in a functional wrapper, with all pending mutations applied. Other values unchanged.
c10::IValue unwrapFunctional(const c10::IValue& value);

/// Runs `job` on a new thread, so that no thread-local state of a trace survives it, and restores the default
/// generators afterwards. The thread has the caller's autocast state and budget. Rethrows exceptions.
void runTraceThread(const std::function<void()>& job);

/// Enables the functionalization key during its lifetime, with view replay.
class FunctionalizationScope {
public:
    FunctionalizationScope();
    ~FunctionalizationScope();
    FunctionalizationScope(const FunctionalizationScope&) = delete;
    FunctionalizationScope& operator=(const FunctionalizationScope&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace aotscope
