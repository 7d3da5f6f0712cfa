#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace aotscope {

using ViewOperation = std::function<at::Tensor(const at::Tensor&)>;

/// Whether autograd regenerates `tensor` by replaying its view operations after a write to its base; it regenerates
/// other views by sizes and strides (as_strided).
bool isReplayedView(const at::Tensor& tensor);

/// Whether the base of `view`, which has a history of its own, was detached: eager lets gradients flow through the view
/// until somebody writes to it.
bool isCutFromBase(const at::Tensor& view);

/// Whether autograd must regenerate the history of `view` because of a write.
bool isWrittenSince(const at::Tensor& view);

/// Autograd records how a view came from its base only at its creation. Tells it that `change` was applied to `view` in
/// place since, so that gradients flow correctly through later writes.
void noteChangeInPlace(const at::Tensor& view, ViewOperation change);

/// Tells autograd that `operation` alone makes `view` from its base.
void noteMadeFromBase(const at::Tensor& view, ViewOperation operation);

}  // namespace aotscope
