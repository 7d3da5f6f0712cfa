#pragma once

#include "trace/graph_function.h"

#include <c10/core/Device.h>

namespace torch::autograd {
struct Node;
}

namespace aotscope {

/// A fake tensor for every tensor of a function's example inputs; numbers and None unchanged. They share storages like
/// the real tensors. They are on `device` if given, otherwise on the real tensors' device.
struct FakeInputs {
    std::vector<c10::IValue> leaves;
    std::vector<bool> requiresGrad;
    std::vector<bool> isLeaf;
    std::vector<std::size_t> duplicateOf;  ///< index of the first leaf that is the same tensor, or its own

    explicit FakeInputs(const std::vector<c10::IValue>& examples, const std::optional<c10::Device>& device);

    bool anyRequiresGrad() const;
    bool anyDuplicate() const;
};

/// Wraps `tensor`, a fake one, for functionalization; the wrapper requires grad if requested, and is a leaf or not.
at::Tensor wrapFunctional(const at::Tensor& fake, bool requiresGrad, bool isLeaf);

/// Makes `tensor`, which requires grad, the result of an operation, so that in-place operations are allowed on it. No
/// gradient flows further back.
void makeNonLeaf(const at::Tensor& tensor);

/// The autograd node of `tensor`, without updating it; null for a leaf.
const torch::autograd::Node* historyOf(const at::Tensor& tensor);

/// The fake tensor in a functional wrapper, with all pending mutations applied. Other values unchanged.
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
