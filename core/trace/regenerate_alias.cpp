#include "trace/regenerate_alias.h"

#include "trace/convert.h"

#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

namespace aotscope {

at::Tensor matchGradient(const at::Tensor& alias, const at::Tensor& base, bool requiresGrad) {
    if (base.requires_grad() && !requiresGrad) return alias.detach();
    at::Tensor result = alias;
    if (!base.requires_grad() && requiresGrad) result.requires_grad_(true);
    return result;
}

at::Tensor viewByStrides(const at::Tensor& base, const TensorType& target) {
    const auto dtype = toScalarType(target.dtype);
    at::Tensor source = base;
    if (base.is_complex() && !at::isComplexType(dtype)) source = at::view_as_real(base);
    if (!base.is_complex() && at::isComplexType(dtype)) source = at::view_as_complex(base);
    at::Tensor alias = source.as_strided(target.sizes, target.strides, target.storageOffset);
    return alias.scalar_type() == dtype ? alias : alias.view(dtype);
}

}  // namespace aotscope
