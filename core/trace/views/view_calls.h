#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

namespace aotscope {

// Calls above autograd that autograd and functionalization take otherwise than the program means them. Arguments are on
// top of the stack.

/// TorchScript passes lists for Tensor?[] whose element type is not the one that functionalization looks for;
/// it would leave their elements wrapped.
void makeOptionalLists(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Views of other numbers refuse a tensor that is lazily conjugated or negated. A functional value is so where the
/// program's tensor is not, after a write through a lazy view of it; being no one's memory, it may be copied.
void resolveLazyBits(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Throws Error for an argument that detach_ has cut from its base, once there has been a write.
void refuseCutView(const at::Tensor& view);

/// Autograd refuses to detach a view in place, which an argument can be here and not in the program.
bool detachesNothing(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

/// Out of place, an operation in place that changes how a tensor looks at its memory; none for others.
std::optional<c10::OperatorHandle> viewOutOfPlace(const c10::OperatorHandle& op);

/// Of a tensor that is lazily conjugated or negated, LibTorch changes a copy, and writes that back without a gap. `op`
/// changes a view in place.
void refuseWritingBeside(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

/// Does `op`, and sees to it that autograd knows how its result comes from its base: changed views as they are now, and
/// a view by strides from the base itself, of which it may reach more than the view that it was made of. `view`: `op`
/// out of place, if it changes a view in place. False, and nothing done, for other operations.
bool noteView(const c10::OperatorHandle& op, const std::optional<c10::OperatorHandle>& view, c10::DispatchKeySet keys,
              torch::jit::Stack& stack);

}  // namespace aotscope
