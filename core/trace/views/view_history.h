#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace aotscope {

using ViewOperation = std::function<at::Tensor(const at::Tensor&)>;

/// Whether autograd regenerates `tensor` by replaying its view operations after a write to its base; it regenerates
/// other views by sizes and strides (as_strided).
bool isReplayedView(const at::Tensor& tensor);

/// Whether the base of `view`, which has its own history, was detached: in eager, gradients flow through the view until
/// a write to it.
bool isCutFromBase(const at::Tensor& view);

/// Whether autograd must regenerate the history of `view` because of a write.
bool isWrittenSince(const at::Tensor& view);

/// Autograd records how a view derives from its base only at its creation. Tells it that `change` was later applied to
/// `view` in place, so that gradients flow correctly through later writes.
void noteChangeInPlace(const at::Tensor& view, ViewOperation change);

/// Tells autograd that `operation` alone derives `view` from its base.
void noteMadeFromBase(const at::Tensor& view, ViewOperation operation);

}  // namespace aotscope
