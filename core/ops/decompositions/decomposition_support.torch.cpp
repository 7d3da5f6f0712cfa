#include "ops/decompositions/decomposition_support.h"

#include "aten/convert.h"

#include <ATen/ExpandUtils.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/div.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <numeric>

namespace aotscope::rules {

Tensor plus(const Tensor& a, const Tensor& b) { return at::add(a, b); }
Tensor plus(const Tensor& a, const Scalar& b) { return at::add(a, wrappedNumber(b)); }
Tensor plus(const Scalar& a, const Tensor& b) { return plus(b, a); }
Tensor minus(const Tensor& a, const Tensor& b) { return at::sub(a, b); }
Tensor minus(const Tensor& a, const Scalar& b) { return at::sub(a, wrappedNumber(b)); }
Tensor minus(const Scalar& a, const Tensor& b) { return at::rsub(b, a); }
Tensor times(const Tensor& a, const Tensor& b) { return at::mul(a, b); }
Tensor times(const Tensor& a, const Scalar& b) { return at::mul(a, wrappedNumber(b)); }
Tensor times(const Scalar& a, const Tensor& b) { return times(b, a); }
Tensor over(const Tensor& a, const Tensor& b) { return at::div(a, b); }
Tensor over(const Tensor& a, const Scalar& b) { return at::div(a, wrappedNumber(b)); }
Tensor over(const Scalar& a, const Tensor& b) { return times(at::reciprocal(b), a); }
Tensor choose(const Tensor& condition, const Tensor& a, const Tensor& b) { return at::where(condition, a, b); }
Tensor choose(const Tensor& condition, const Scalar& a, const Tensor& b) { return at::where(condition, a, b); }
Tensor choose(const Tensor& condition, const Tensor& a, const Scalar& b) { return at::where(condition, a, b); }
Tensor sumOver(const Tensor& a, const Sizes& dims, bool keepdim) { return at::sum(a, dims, keepdim); }
Tensor sumOver(const Tensor& a) { return at::sum(a); }
Tensor meanOf(const Tensor& a) { return at::mean(a); }

Tensor full(const Sizes& sizes, const Scalar& value, Dtype type, const Tensor& like) {
    return at::full(sizes, value, at::TensorOptions(type).device(like.device()).layout(at::kStrided));
}
Tensor arange(const Scalar& end, const Tensor& like, std::optional<Dtype> type) {
    return at::arange(end, at::TensorOptions().dtype(type).device(like.device()));
}

Dtype computationType(Dtype type) {
    if (type == at::kHalf || type == at::kBFloat16) return at::kFloat;
    return type == at::kComplexHalf ? at::kComplexFloat : type;
}
Tensor cast(const Tensor& t, Dtype type) { return t.scalar_type() == type ? t : t.to(type); }

Dtype promotedType(at::ArrayRef<Tensor> operands) {
    at::native::ResultTypeState state = {};
    for (const Tensor& t : operands)
        if (t.defined()) state = at::native::update_result_type_state(t, state);
    return at::native::result_type(state);
}

Opmath::Opmath(std::initializer_list<Tensor> operands, bool intToFloat) : result_(promotedType(operands)) {
    if (intToFloat && at::isIntegralType(result_, /*includeBool=*/true)) result_ = at::kFloat;
    computation_ = computationType(result_);
}

Tensor unsqueezeTo(Tensor t, std::int64_t dims) {
    while (t.dim() < dims) t = t.unsqueeze(-1);
    return t;
}

std::int64_t wrapDim(std::int64_t dim, std::int64_t dims) { return at::maybe_wrap_dim(dim, dims); }

Sizes physicalOrder(const Tensor& t) {
    const std::int64_t dims = t.dim();
    Sizes order(static_cast<std::size_t>(dims));
    std::iota(order.begin(), order.end(), 0);
    if (dims < 2 || t.is_contiguous()) return order;
    // Orders dimensions like elementwise kernels: by strides, innermost first; broadcast ones keep their place.
    std::reverse(order.begin(), order.end());
    const auto isInner = [&](std::int64_t a, std::int64_t b) -> int {  // 1: `b` is further inside than `a`
        if (t.stride(a) == 0 || t.stride(b) == 0) return 0;
        if (t.stride(a) == t.stride(b)) return t.size(a) > t.size(b) ? 1 : 0;
        return t.stride(a) < t.stride(b) ? -1 : 1;
    };
    for (std::size_t i = 1; i < order.size(); ++i) {
        std::size_t place = i;
        for (std::size_t k = i; k-- > 0;) {
            const int comparison = isInner(order[k], order[place]);
            if (comparison < 0) break;
            if (comparison == 0) continue;
            std::swap(order[k], order[place]);
            place = k;
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace aotscope::rules
