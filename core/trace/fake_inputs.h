#pragma once

#include "trace/graph_function.h"

#include <c10/core/Device.h>

namespace torch::autograd {
struct Node;
}

namespace aotscope {

/// A fake for every tensor among a function's example inputs; numbers and None as they are. Fakes share a storage where
/// the real tensors do. They lie on `device` if that is given, else where the real ones do.
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

/// Makes `tensor`, which requires a gradient, the result of an operation: in-place operations are allowed on it, and
/// nothing may ever flow further back through it.
void makeNonLeaf(const at::Tensor& tensor);

/// The autograd node that has made `tensor`, without bringing it up to date; null for a leaf.
const torch::autograd::Node* historyOf(const at::Tensor& tensor);

/// The fake behind a functional wrapper, with all pending mutations applied. Other values as they are.
c10::IValue unwrapFunctional(const c10::IValue& value);

/// Runs `job` on a thread of its own, so that no thread-local state of a trace survives it, with the default
/// random generators restored afterwards. It has the caller's autocast and budget. Exceptions come back to the caller.
void runTraceThread(const std::function<void()>& job);

/// Includes the functionalization key for its life time, replaying views as views.
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
