#include "ops/decompositions/decomposition_support.h"
#include "ops/prims.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/leaky_relu_backward.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor_split.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace aotscope {

namespace {

using namespace rules;

constexpr double kSqrtHalf = std::numbers::sqrt2 / 2, kTwoOverSqrtPi = 2 * std::numbers::inv_sqrtpi;
constexpr double kTanhBeta = std::numbers::sqrt2 * kTwoOverSqrtPi * 0.5, kTanhKappa = 0.044715;

// --- Derivatives -----------------------------------------------------------------------------------------------

Tensor tanhBackward(const Tensor& grad, const Tensor& y) {
    const Opmath math({grad, y});
    const Tensor up = math.up(y);
    return math.down(times(math.up(grad), at::conj_physical(minus(1, times(up, up)))));
}
Tensor sigmoidBackward(const Tensor& grad, const Tensor& y) {
    const Opmath math({grad, y});
    const Tensor up = math.up(y);
    return math.down(times(math.up(grad), at::conj_physical(times(up, minus(1, up)))));
}
Tensor thresholdBackward(const Tensor& grad, const Tensor& self, const Scalar& threshold) {
    return choose(self.le(threshold), Scalar(0), grad);
}
Tensor softplusBackward(const Tensor& grad, const Tensor& self, const Scalar& beta, const Scalar& threshold) {
    const Opmath math({grad, self});
    const Tensor g = math.up(grad), x = math.up(self);
    const Tensor z = at::exp(times(x, beta));
    return math.down(choose(times(x, beta).gt(threshold), g, over(times(g, z), plus(z, 1.0))));
}
Tensor eluBackward(const Tensor& grad, const Scalar& alpha, const Scalar& scale, const Scalar& inputScale,
                   bool isResult, const Tensor& selfOrResult) {
    const Opmath math({grad, selfOrResult});
    const Tensor g = math.up(grad), x = math.up(selfOrResult);
    const double negative = alpha.toDouble() * scale.toDouble();
    const Tensor isNegative = x.le(0), scaled = times(g, inputScale);
    const Tensor inner =
        isResult ? times(scaled, plus(x, negative)) : times(times(scaled, negative), at::exp(times(x, inputScale)));
    return math.down(choose(isNegative, inner, times(g, scale)));
}
Tensor leakyReluBackward(const Tensor& grad, const Tensor& self, const Scalar& slope, bool) {
    const Opmath math({grad, self});
    const Tensor g = math.up(grad);
    return math.down(choose(math.up(self).gt(0), g, times(g, slope)));
}
Tensor hardtanhBackward(const Tensor& grad, const Tensor& self, const Scalar& low, const Scalar& high) {
    const Opmath math({grad, self});
    const Tensor x = math.up(self);
    return math.down(choose(x.le(low).__or__(x.ge(high)), Scalar(0.0), math.up(grad)));
}
Tensor hardsigmoidBackward(const Tensor& grad, const Tensor& self) {
    const Opmath math({grad, self});
    const Tensor x = math.up(self);
    return math.down(choose(x.gt(-3.0).__and__(x.lt(3.0)), times(math.up(grad), 1.0 / 6.0), Scalar(0.0)));
}
Tensor hardswishBackward(const Tensor& grad, const Tensor& self) {
    const Opmath math({grad, self});
    const Tensor g = math.up(grad), x = math.up(self);
    const Tensor isLow = x.le(-3), isMiddle = x.lt(3);
    return math.down(choose(isLow, Scalar(0.0), choose(isMiddle, times(g, plus(over(x, 3), 0.5)), g)));
}
Tensor siluBackward(const Tensor& grad, const Tensor& self) {
    const Opmath math({grad, self});
    const Tensor x = math.up(self), s = at::sigmoid(x);
    return math.down(times(times(math.up(grad), s), plus(1, times(x, minus(1, s)))));
}
Tensor mishBackward(const Tensor& grad, const Tensor& self) {
    const Opmath math({grad, self});
    const Tensor x = math.up(self), inner = at::tanh(at::softplus(x)), s = at::sigmoid(x);
    const Tensor rest = times(times(x, s), minus(1, times(inner, inner)));
    return math.down(times(math.up(grad), plus(inner, rest)));
}
Tensor logSigmoidBackward(const Tensor& grad, const Tensor& self, const Tensor& buffer) {
    const Opmath math({grad, self, buffer});
    const Tensor g = math.up(grad), x = math.up(self), known = math.up(buffer);
    const Tensor isNegative = x.lt(0);
    const Tensor slope = at::where(isNegative, Scalar(1), Scalar(0)),
                 direction = at::where(isNegative, Scalar(1), Scalar(-1));
    const Tensor z = known.numel() > 0 ? known : at::exp(at::neg(at::abs(x)));
    return math.down(times(g, minus(slope, times(direction, over(z, plus(1, z))))));
}
Tensor gluBackward(const Tensor& grad, const Tensor& self, std::int64_t dim) {
    const Opmath math({grad, self});
    const Tensor g = math.up(grad), x = math.up(self);
    const std::int64_t place = wrapDim(dim, x.dim()), half = x.size(place) / 2;
    const Tensor first = x.narrow(place, 0, half), s = at::sigmoid(x.narrow(place, half, half));
    const Tensor second = times(times(times(minus(1.0, s), s), first), g);
    return math.down(at::cat({times(s, g), second}, place));
}

Tensor geluBackward(const Tensor& grad, const Tensor& self, const std::string& approximate) {
    const Opmath math({grad, self});
    const Tensor g = math.up(grad), x = math.up(self);
    if (approximate != "tanh") {
        const Tensor cdf = times(0.5, plus(1, at::erf(times(x, kSqrtHalf))));
        const Tensor pdf = times(kTwoOverSqrtPi * kSqrtHalf * 0.5, at::exp(times(times(x, x), -0.5)));
        return math.down(times(g, plus(cdf, times(x, pdf))));
    }
    const Tensor square = times(x, x), cube = times(square, x);
    const Tensor inner = at::tanh(times(kTanhBeta, plus(x, times(kTanhKappa, cube))));
    const Tensor left = times(0.5, x), right = plus(1, inner);
    const Tensor ofLeft = times(0.5, right);
    const Tensor ofTanh = minus(1, times(inner, inner));
    const Tensor ofInner = times(kTanhBeta, plus(1, times(3 * kTanhKappa, square)));
    return math.down(times(g, plus(ofLeft, times(times(left, ofTanh), ofInner))));
}

std::tuple<Tensor, Tensor> preluBackward(const Tensor& grad, const Tensor& self, const Tensor& weight) {
    const Tensor ofInput = choose(self.gt(0), grad, times(weight, grad));
    return {ofInput, choose(self.gt(0), Scalar(0.0), times(self, grad))};
}

// --- Functions --------------------------------------------------------------------------------------------------

Tensor gelu(const Tensor& self, const std::string& approximate) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    if (approximate != "tanh") {
        const Tensor half = times(x, 0.5);  // computed first, since the evaluation order of arguments is unspecified
        return math.down(times(half, plus(1, at::erf(times(x, kSqrtHalf)))));
    }
    const Tensor inner = times(kTanhBeta, plus(x, times(kTanhKappa, times(times(x, x), x))));
    const Tensor half = times(0.5, x);
    return math.down(times(half, plus(1, at::tanh(inner))));
}
Tensor silu(const Tensor& self) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    return math.down(times(x, at::sigmoid(x)));
}
/// x / (1 + exp(-x)), rounded as in the eager kernel.
Tensor siluByDivision(const Tensor& self) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    return math.down(over(x, plus(1, at::exp(at::neg(x)))));
}
Tensor hardsigmoid(const Tensor& self) {
    const Opmath math({self});
    return math.down(over(at::clamp(at::clamp(plus(math.up(self), 3), 0), std::nullopt, Scalar(6)), 6));
}
Tensor hardswish(const Tensor& self) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    return math.down(over(times(x, at::clamp(at::clamp(plus(x, 3), 0), std::nullopt, Scalar(6))), 6));
}
Tensor hardtanh(const Tensor& self, const Scalar& low, const Scalar& high) {
    return cast(at::clamp(self, low, high), self.scalar_type());
}
Tensor hardshrink(const Tensor& self, const Scalar& lambda) {
    return choose(at::abs(self).le(lambda), Scalar(0), self);
}
Tensor softshrink(const Tensor& self, const Scalar& lambda) {
    return choose(at::abs(self).gt(lambda), minus(self, times(at::sign(self), lambda)), times(self, 0));
}
Tensor threshold(const Tensor& self, const Scalar& limit, const Scalar& value) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    return math.down(choose(x.le(limit), value, x));
}
Tensor softplus(const Tensor& self, const Scalar& beta, const Scalar& threshold) {
    const Opmath math({self});
    const bool plain = beta.equal(1);
    const Tensor x = math.up(self), scaled = plain ? x : times(x, beta);
    Tensor curved = at::log1p(at::exp(scaled));
    if (!plain) curved = over(curved, beta);
    return math.down(choose(scaled.gt(threshold), x, curved));
}
Tensor mish(const Tensor& self) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    return math.down(times(x, at::tanh(at::softplus(x))));
}
Tensor celu(const Tensor& self, const Scalar& alpha) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    const Tensor curved = alpha.equal(1) ? at::expm1(x) : times(alpha, at::expm1(over(x, alpha)));
    return math.down(choose(x.gt(0), x, curved));
}
Tensor elu(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& inputScale) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    const Tensor isPositive = x.gt(0), straight = times(scale, x);
    const Tensor curved = times(alpha.toDouble() * scale.toDouble(), at::expm1(times(x, inputScale)));
    return math.down(choose(isPositive, straight, curved));
}
Tensor leakyRelu(const Tensor& self, const Scalar& slope) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    return math.down(choose(x.gt(0), x, times(x, slope)));
}
Tensor prelu(const Tensor& self, const Tensor& weight) { return choose(self.gt(0), self, times(weight, self)); }
Tensor glu(const Tensor& self, std::int64_t dim) {
    const Opmath math({self});
    const auto halves = at::tensor_split(math.up(self), 2, wrapDim(dim, self.dim()));
    return math.down(times(halves[0], at::sigmoid(halves[1])));
}
std::tuple<Tensor, Tensor> logSigmoid(const Tensor& self) {
    const Opmath math({self});
    const Tensor x = math.up(self);
    const Tensor lower = at::minimum(x.new_zeros({}), x), z = at::exp(at::neg(at::abs(x)));
    const Tensor buffer = x.is_cuda() ? x.new_zeros({0}) : z;
    return {math.down(minus(lower, at::log1p(z))), math.down(buffer)};
}

// --- Softmax ----------------------------------------------------------------------------------------------------

Tensor safeSoftmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> type) {
    const Tensor result = at::softmax(self, dim, type);
    const Tensor nothing = self.eq(-std::numeric_limits<double>::infinity()).all(dim, /*keepdim=*/true);
    return choose(nothing, at::zeros_like(result), result);
}
Tensor largest(const Tensor& x, std::int64_t dim) {
    const std::int64_t place = wrapDim(dim, x.dim());
    if (x.dim() == 0 || x.size(place) > 0) return at::amax(x, dim, /*keepdim=*/true);
    Sizes one = x.sizes().vec();
    one[static_cast<std::size_t>(place)] = 1;
    return at::amax(at::cat({x, x.new_full(one, -std::numeric_limits<double>::infinity())}, dim), dim, true);
}
template <bool logarithm>
std::optional<Tensor> softmax(const Tensor& self, std::int64_t dim, bool halfToFloat) {
    if (!self.is_floating_point()) return std::nullopt;
    const Tensor input = self.contiguous();
    const Opmath math({input});
    const Tensor x = math.up(input), shifted = minus(x, largest(x, dim)), e = at::exp(shifted);
    const Tensor total = sumOver(e, {dim}, true);
    const Tensor result = logarithm ? minus(shifted, at::log(total)) : over(e, total);
    return halfToFloat ? result : math.down(result);
}
Tensor softmaxBackward(const Tensor& grad, const Tensor& output, std::int64_t dim, Dtype type) {
    const Opmath math({grad, output});
    const Tensor g = math.up(grad), y = math.up(output), product = times(g, y);
    const Tensor result = minus(product, times(y, sumOver(product, {dim}, true)));
    return (g.scalar_type() == type ? result : cast(result, type)).contiguous();
}
Tensor softmaxBackwardFused(const Tensor& grad, const Tensor& output, std::int64_t dim, Dtype type) {
    const Opmath math({grad, output});
    const Tensor g = math.up(grad), y = math.up(output), product = times(g, y);
    const Tensor total = sumOver(product, {dim}, true), result = prims::fma(at::neg(y), total, product);
    return math.down((g.scalar_type() == type ? result : cast(result, type)).contiguous());
}
Tensor logSoftmaxBackward(const Tensor& grad, const Tensor& output, std::int64_t dim, Dtype type) {
    const Opmath math({grad, output});
    const Tensor g = math.up(grad);
    const Tensor result = minus(g, times(at::exp(math.up(output)), sumOver(g, {dim}, true)));
    return g.scalar_type() == type ? result : cast(result, type);
}

}  // namespace

std::vector<DecompositionRow> activationDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.tanh_backward.default", "tanh_backward", rule<tanhBackward>, both},
        {"aten.sigmoid_backward.default", "sigmoid_backward", rule<sigmoidBackward>, both},
        {"aten.threshold_backward.default", "threshold_backward", rule<thresholdBackward>, both},
        {"aten.softplus_backward.default", "softplus_backward", rule<softplusBackward>, both},
        {"aten.elu_backward.default", "elu_backward", rule<eluBackward>, both},
        {"aten.leaky_relu_backward.default", "leaky_relu_backward", rule<leakyReluBackward>, both},
        {"aten.hardtanh_backward.default", "hardtanh_backward", rule<hardtanhBackward>, both},
        {"aten.hardsigmoid_backward.default", "hardsigmoid_backward", rule<hardsigmoidBackward>, both},
        {"aten.hardswish_backward.default", "hardswish_backward", rule<hardswishBackward>, both},
        {"aten.silu_backward.default", "silu_backward", rule<siluBackward>, both},
        {"aten.mish_backward.default", "mish_backward", rule<mishBackward>, both},
        {"aten.log_sigmoid_backward.default", "log_sigmoid_backward", rule<logSigmoidBackward>, both},
        {"aten.glu_backward.default", "glu_backward", rule<gluBackward>, both},
        {"aten.gelu_backward.default", "gelu_backward", rule<geluBackward>, both},
        {"aten._prelu_kernel_backward.default", "prelu_backward", rule<preluBackward>, both},
        {"aten.gelu.default", "gelu", rule<gelu>, kInductor},
        {"aten.silu.default", "silu", rule<silu>, kCoreAten},
        {"aten.silu.default", "silu_by_division", rule<siluByDivision>, kInductor},
        {"aten.hardsigmoid.default", "hardsigmoid", rule<hardsigmoid>, both},
        {"aten.hardswish.default", "hardswish", rule<hardswish>, both},
        {"aten.hardtanh.default", "clamp", rule<hardtanh>, kInductor},
        {"aten.hardshrink.default", "hardshrink", rule<hardshrink>, both},
        {"aten.softshrink.default", "softshrink", rule<softshrink>, both},
        {"aten.threshold.default", "threshold", rule<threshold>, both},
        {"aten.softplus.default", "softplus", rule<softplus>, both},
        {"aten.mish.default", "mish", rule<mish>, both},
        {"aten.celu.default", "celu", rule<celu>, both},
        {"aten.elu.default", "elu", rule<elu>, kInductor},
        {"aten.leaky_relu.default", "leaky_relu", rule<leakyRelu>, kInductor},
        {"aten._prelu_kernel.default", "prelu", rule<prelu>, both},
        {"aten.glu.default", "glu", rule<glu>, kCoreAten},
        {"aten.log_sigmoid_forward.default", "log_sigmoid", rule<logSigmoid>, both},
        {"aten._safe_softmax.default", "safe_softmax", rule<safeSoftmax>, both},
        {"aten._softmax.default", "softmax", rule<softmax<false>>, kInductor},
        {"aten._log_softmax.default", "log_softmax", rule<softmax<true>>, kInductor},
        {"aten._softmax_backward_data.default", "softmax_backward", rule<softmaxBackward>, kCoreAten},
        {"aten._softmax_backward_data.default", "softmax_backward_fused", rule<softmaxBackwardFused>, kInductor},
        {"aten._log_softmax_backward_data.default", "log_softmax_backward", rule<logSoftmaxBackward>, both},
    };
}

}  // namespace aotscope
