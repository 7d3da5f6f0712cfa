#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

namespace aotscope {

// Calls above autograd that autograd and functionalization treat differently than the program intends. Arguments are on
// top of the stack.

/// TorchScript passes lists for Tensor?[] with a different element type than functionalization expects, so that their
/// elements would stay wrapped.
void makeOptionalLists(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Views as another dtype reject lazily conjugated or negated tensors. After a write through a lazy view, a functional
/// value may be lazy where the program's tensor is not; since its memory is not visible, it may be copied.
void resolveLazyBits(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Throws Error for an argument that detach_ has cut from its base, if there has been a write.
void refuseCutView(const at::Tensor& view);

/// Autograd refuses to detach a view in place; an argument may be a view here and not in the program.
bool detachesNothing(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

/// The out-of-place variant of an in-place operation that changes a tensor's view of its memory; nothing for others.
std::optional<c10::OperatorHandle> viewOutOfPlace(const c10::OperatorHandle& op);

/// For a lazily conjugated or negated tensor, LibTorch changes a copy, and writes that back densely. `op` changes a
/// view in place.
void refuseWritingBeside(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

/// Runs `op`, and tells autograd how its result derives from its base: for a changed view, its current form; for
/// as_strided, from the base itself, of which it may access more than the view that it was called on. `view`: the
/// out-of-place variant of `op`, if that changes a view in place. Returns false without an effect for other operations.
bool noteView(const c10::OperatorHandle& op, const std::optional<c10::OperatorHandle>& view, c10::DispatchKeySet keys,
              torch::jit::Stack& stack);

}  // namespace aotscope
