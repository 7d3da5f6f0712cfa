#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace aotscope {

using ViewOperation = std::function<at::Tensor(const at::Tensor&)>;

/// Whether autograd makes `tensor` anew, by calling the operations that made it, when its base has been written to.
/// Others it makes by their sizes and strides.
bool isReplayedView(const at::Tensor& tensor);

/// Whether the base of `view`, which has a history of its own, was detached: eager lets gradients through the view
/// until somebody writes to it.
bool isCutFromBase(const at::Tensor& view);

/// Whether autograd has to make the history of `view` anew, since there was a write.
bool isWrittenSince(const at::Tensor& view);

/// Autograd knows how a view came from its base only as of its birth. Tells it that `change` has been done to `view` in
/// place since, so that gradients find their way through later writes.
void noteChangeInPlace(const at::Tensor& view, ViewOperation change);

/// Tells autograd that `operation` alone makes `view` from its base.
void noteMadeFromBase(const at::Tensor& view, ViewOperation operation);

}  // namespace aotscope
