#include "aten/regenerate_alias.h"

#include "aten/convert.h"

#include <ATen/ops/_conj.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

namespace aotscope {

at::Tensor matchGradient(const at::Tensor& alias, const at::Tensor& base, bool requiresGrad) {
    if (base.requires_grad() && !requiresGrad) return alias.detach();
    at::Tensor result = alias;
    if (!base.requires_grad() && requiresGrad) result.requires_grad_(true);
    return result;
}

namespace {

/// All memory behind `base` as elements of `dtype`, one after the other.
at::Tensor elementsOf(const at::Tensor& base, at::ScalarType dtype) {
    const auto count = static_cast<int64_t>(base.storage().nbytes() / base.element_size());
    if (!base.is_complex() && at::isComplexType(dtype))
        return at::view_as_complex(base.as_strided({count / 2, 2}, {2, 1}, 0));
    const at::Tensor all = base.as_strided({count}, {1}, 0);
    return base.is_complex() && !at::isComplexType(dtype) ? at::view_as_real(all) : all.view(dtype);
}

/// `t`, or a view of its memory with or without the lazy conjugate and negative bits.
at::Tensor withBits(const at::Tensor& t, bool conjugated, bool negated) {
    const at::Tensor result = t.is_conj() == conjugated ? t : at::_conj(t);
    return result.is_neg() == negated ? result : at::_neg_view(result);
}

}  // namespace

at::Tensor viewByStrides(const at::Tensor& base, const TensorType& target, const at::Tensor& like) {
    const auto dtype = toScalarType(target.dtype);
    const at::Tensor memory = withBits(base, false, false);
    const at::Tensor source = memory.scalar_type() == dtype ? memory : elementsOf(memory, dtype);
    return withBits(source.as_strided(target.sizes, target.strides, target.storageOffset), like.is_conj(),
                    like.is_neg());
}

}  // namespace aotscope
