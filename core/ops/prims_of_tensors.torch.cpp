#include "ops/prim_definitions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/sum.h>

#include <functional>

namespace aotscope {

namespace {

namespace tensor_prims {

using at::IntArrayRef;
using at::Tensor;

constexpr int64_t kNotNormalized = 0;

Tensor complexTransform(const Tensor& a, IntArrayRef dims, bool forward) {
    return at::_fft_c2c(a, dims, kNotNormalized, forward);
}
Tensor toRealTransform(const Tensor& a, IntArrayRef dims, int64_t last) {
    return at::_fft_c2r(a, dims, kNotNormalized, last);
}
Tensor fromRealTransform(const Tensor& a, IntArrayRef dims, bool oneSided) {
    return at::_fft_r2c(a, dims, kNotNormalized, oneSided);
}

std::tuple<Tensor, Tensor, Tensor> singularValues(const Tensor& a, bool full) { return at::linalg_svd(a, full); }
std::tuple<Tensor, Tensor> mantissaAndExponent(const Tensor& a) { return at::frexp(a); }
Tensor cubeRoot(const Tensor& a) { return at::copysign(at::pow(at::abs(a), 1.0 / 3), a); }

Tensor product(const Tensor& a, at::OptionalIntArrayRef dims, std::optional<at::ScalarType> type) {
    if (!dims) return at::prod(a, type);
    std::vector<int64_t> last = dims->vec();
    std::ranges::sort(last, std::greater<>());
    Tensor result = last.empty() ? a.clone() : a;
    for (const int64_t dim : last) result = at::prod(result, dim, /*keepdim=*/false, type);
    return result;
}

/// The maximum, and the sum of the exponentials of the differences from it: what a softmax needs.
std::tuple<Tensor, Tensor> prepareSoftmax(const Tensor& a, int64_t dim) {
    const Tensor largest = at::amax(a, {dim}, /*keepdim=*/true);
    return {largest, at::sum(at::exp(a - largest), {dim}, /*keepdim=*/true)};
}

}  // namespace tensor_prims

}  // namespace

void definePrimsOfTensors(PrimDefinitions& all) {
    all.add("fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor", &tensor_prims::complexTransform);
    all.add("fft_c2r(Tensor self, *, int[] dim, int last_dim_size) -> Tensor", &tensor_prims::toRealTransform);
    all.add("fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor", &tensor_prims::fromRealTransform);
    all.add("svd(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)", &tensor_prims::singularValues);
    all.add("frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)", &tensor_prims::mantissaAndExponent);
    all.add("cbrt(Tensor self) -> Tensor", &tensor_prims::cubeRoot);
    all.add("prod(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &tensor_prims::product);
    all.add("prepare_softmax_online(Tensor a, int dim) -> (Tensor, Tensor)", &tensor_prims::prepareSoftmax);
}

}  // namespace aotscope
