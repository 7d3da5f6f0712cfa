#pragma once

#include "ir/types.h"

#include <ATen/core/Tensor.h>

namespace aotscope {

/// `alias`, a view of `base`, with or without requires_grad as its original had. See gen_alias_from_base in
/// torch/_functorch/_aot_autograd/functional_utils.py.
at::Tensor matchGradient(const at::Tensor& alias, const at::Tensor& base, bool requiresGrad);

/// The view of `base`'s memory with the target's sizes, strides, offset and dtype, lazily conjugated or negated if
/// `like` is.
at::Tensor viewByStrides(const at::Tensor& base, const TensorType& target, const at::Tensor& like);

}  // namespace aotscope
