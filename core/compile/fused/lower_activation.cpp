#include "compile/fused/lowering.h"

#include <numbers>

namespace aotscope {

namespace {

using Call = LoweredCall;
using Results = LoweredResults;

constexpr double kTwoOverSqrtPi = 2 * std::numbers::inv_sqrtpi;
constexpr double kTanhBeta = std::numbers::sqrt2 * kTwoOverSqrtPi * 0.5, kTanhKappa = 0.044715;
constexpr double kSeluAlpha = 1.6732632423543772848170429916717, kSeluScale = 1.0507009873554804934193349852946;

// --- Functions ------------------------------------------------------------------------------------------------------

Results relu(Call& c) { return {maximum(c.x(0), c.constant(0))}; }
Results relu6(Call& c) { return {minimum(maximum(c.x(0), c.constant(0)), c.constant(6))}; }
Results hardtanh(Call& c) {
    return {minimum(maximum(c.x(0), c.constant(c.literal(1, "min_val", -1))), c.constant(c.literal(2, "max_val", 1)))};
}
Results leakyRelu(Call& c) {
    const Expr x = c.x(0);
    return {where(x > 0, x, x * c.literal(1, "negative_slope", 0.01))};
}
Expr exponentialUnit(Expr x, double alpha, double scale, double inputScale) {
    const Expr inner = inputScale == 1 ? x : x * inputScale;
    return where(x > 0, scale == 1 ? x : x * scale, expm1(inner) * (alpha * scale));
}
Results elu(Call& c) {
    return {
        exponentialUnit(c.x(0), c.literal(1, "alpha", 1), c.literal(2, "scale", 1), c.literal(3, "input_scale", 1))};
}
Results selu(Call& c) { return {exponentialUnit(c.x(0), kSeluAlpha, kSeluScale, 1)}; }
Results celu(Call& c) {
    const double alpha = c.literal(1, "alpha", 1);
    return {exponentialUnit(c.x(0), alpha, 1, 1 / alpha)};
}
Results silu(Call& c) { return {c.x(0) * sigmoid(c.x(0))}; }
Results lowerGelu(Call& c) {
    const Expr x = c.x(0);
    if (c.text(1, "approximate") != "tanh") return {gelu(x)};
    const Expr inner = kTanhBeta * (x + kTanhKappa * (x * x * x));
    return {0.5 * x * (1 + tanh(inner))};
}
Expr softened(Expr x) { return where(x > 20, x, log1p(exp(x))); }
Results mish(Call& c) { return {c.x(0) * tanh(softened(c.x(0)))}; }
Expr clampedToSix(Expr x) { return minimum(maximum(x, constantLike(x, 0)), constantLike(x, 6)); }
Results hardsigmoid(Call& c) { return {clampedToSix(c.x(0) + 3) / 6}; }
Results hardswish(Call& c) { return {c.x(0) * clampedToSix(c.x(0) + 3) / 6}; }
Results softplus(Call& c) {
    const Expr x = c.x(0), beta = c.constant(c.literal(1, "beta", 1)), scaled = x * beta;
    return {where(scaled > c.literal(2, "threshold", 20), x, log1p(exp(scaled)) / beta)};
}
Results threshold(Call& c) { return {where(c.x(0) <= c.x(1), c.x(2), c.x(0))}; }
Results logSigmoid(Call& c) {
    const Expr x = c.x(0), z = exp(-abs(x));
    return {minimum(x, c.constant(0)) - log1p(z), z};
}
Results logit(Call& c) {
    Expr x = c.x(0);
    if (c.has(1, "eps")) {
        const double eps = c.literal(1, "eps", 0);
        x = where(x < eps, c.constant(eps), where(x > 1 - eps, c.constant(1 - eps), x));
    }
    return {log(x / (1 - x))};
}

// --- Derivatives: the gradient, then the function's input or output -------------------------------------------------

Results sigmoidBackward(Call& c) { return {c.x(0) * ((1 - c.x(1)) * c.x(1))}; }
Results tanhBackward(Call& c) { return {c.x(0) * (1 - c.x(1) * c.x(1))}; }
Results thresholdBackward(Call& c) { return {where(c.x(1) <= c.x(2), c.constant(0), c.x(0))}; }
Results hardtanhBackward(Call& c) {
    const Expr x = c.x(1);
    return {where((x > c.x(2)) & (x < c.x(3)), c.x(0), c.constant(0))};
}
Results leakyReluBackward(Call& c) {
    const Expr gradient = c.x(0);
    return {where(c.x(1) > 0, gradient, gradient * c.literal(2, {}, 0))};
}
Results eluBackward(Call& c) {
    const Expr gradient = c.x(0), x = c.x(5);
    const double scale = c.literal(2, {}, 1), inputScale = c.literal(3, {}, 1), negative = c.literal(1, {}, 1) * scale;
    const Expr slope = c.flag(4) ? (x + negative) * inputScale : exp(x * inputScale) * (inputScale * negative);
    return {where(x > 0, gradient * scale, gradient * slope)};
}
Results siluBackward(Call& c) {
    const Expr x = c.x(1), s = sigmoid(x);
    return {c.x(0) * s * (1 + x * (1 - s))};
}
Results geluBackward(Call& c) {
    const Expr gradient = c.x(0), x = c.x(1);
    if (c.text(2, "approximate") != "tanh") return {gradient * geluSlope(x)};
    const Expr square = x * x, inner = tanh(kTanhBeta * (x + kTanhKappa * (square * x)));
    const Expr ofInner = kTanhBeta * (1 + 3 * kTanhKappa * square);
    return {gradient * (0.5 * (1 + inner) + 0.5 * x * (1 - inner * inner) * ofInner)};
}
Results mishBackward(Call& c) {
    const Expr x = c.x(1), inner = tanh(softened(x));
    return {c.x(0) * (inner + x * sigmoid(x) * (1 - inner * inner))};
}
Results hardsigmoidBackward(Call& c) {
    const Expr x = c.x(1);
    return {where((x > -3) & (x < 3), c.x(0) * (1.0 / 6), c.constant(0))};
}
Results hardswishBackward(Call& c) {
    const Expr gradient = c.x(0), x = c.x(1);
    return {where(x <= -3, c.constant(0), where(x >= 3, gradient, gradient * (x / 3 + 0.5)))};
}
Results softplusBackward(Call& c) {
    const Expr gradient = c.x(0), scaled = c.x(1) * c.literal(2, {}, 1), z = exp(scaled);
    return {where(scaled > c.literal(3, {}, 20), gradient, gradient * z / (z + 1))};
}
/// Recomputes what the forward saved: devices save different things.
Results logSigmoidBackward(Call& c) {
    const Expr x = c.x(1), z = exp(-abs(x)), part = z / (1 + z);
    return {c.x(0) * where(x < 0, 1 - part, part)};
}
/// All of these are functions of real numbers.
template <Results (*emit)(Call&)>
Results real(Call& c) {
    return c.isReal() ? emit(c) : Results{};
}

}  // namespace

LoweringTable activationLowerings() {
    return {
        {"aten.relu.default", {[](Call& c) { return c.result() == DType::b8 ? Results{} : relu(c); }}},
        {"aten.relu6.default", {real<relu6>}},
        {"aten.hardtanh.default", {real<hardtanh>}},
        {"aten.leaky_relu.default", {real<leakyRelu>}},
        {"aten.elu.default", {real<elu>}},
        {"aten.selu.default", {real<selu>}},
        {"aten.celu.default", {real<celu>}},
        {"aten.silu.default", {real<silu>}},
        {"aten.gelu.default", {real<lowerGelu>}},
        {"aten.mish.default", {real<mish>}},
        {"aten.hardsigmoid.default", {real<hardsigmoid>}},
        {"aten.hardswish.default", {real<hardswish>}},
        {"aten.softplus.default", {real<softplus>}},
        {"aten.threshold.default", {real<threshold>}},
        {"aten.log_sigmoid_forward.default", {real<logSigmoid>}},
        {"aten.logit.default", {real<logit>}},
        {"aten.sigmoid_backward.default", {real<sigmoidBackward>}},
        {"aten.tanh_backward.default", {real<tanhBackward>}},
        {"aten.threshold_backward.default", {real<thresholdBackward>}},
        {"aten.hardtanh_backward.default", {real<hardtanhBackward>}},
        {"aten.leaky_relu_backward.default", {real<leakyReluBackward>}},
        {"aten.elu_backward.default", {real<eluBackward>}},
        {"aten.silu_backward.default", {real<siluBackward>}},
        {"aten.gelu_backward.default", {real<geluBackward>}},
        {"aten.mish_backward.default", {real<mishBackward>}},
        {"aten.hardsigmoid_backward.default", {real<hardsigmoidBackward>}},
        {"aten.hardswish_backward.default", {real<hardswishBackward>}},
        {"aten.softplus_backward.default", {real<softplusBackward>}},
        {"aten.log_sigmoid_backward.default", {real<logSigmoidBackward>}},
    };
}

}  // namespace aotscope
