#include "aten/convert.h"
#include "ops/decompositions/decomposition_support.h"
#include "ops/prims.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/all.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/div.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/isposinf.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_mean.h>
#include <ATen/ops/where.h>

#include <limits>
#include <numbers>

namespace aotscope {

namespace {

using namespace rules;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// --- Arithmetic ---------------------------------------------------------------------------------------------------

Tensor rsubScalar(const Tensor& a, const Scalar& b, const Scalar& alpha) { return at::sub(wrappedNumber(b), a, alpha); }
Tensor rsubTensor(const Tensor& a, const Tensor& b, const Scalar& alpha) { return at::sub(b, a, alpha); }
Tensor addcmul(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
    const Opmath math({self, a, b});
    return math.down(plus(math.up(self), times(times(value, math.up(a)), math.up(b))));
}
Tensor addcdiv(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
    const Opmath math({self, a, b}, /*intToFloat=*/true);
    return math.down(plus(math.up(self), over(times(value, math.up(a)), math.up(b))));
}
Tensor clampMin(const Tensor& a, const Scalar& min) { return at::clamp(a, min); }
Tensor clampMax(const Tensor& a, const Scalar& max) { return at::clamp(a, std::nullopt, max); }
Tensor clampMinTensor(const Tensor& a, const Tensor& min) { return at::clamp(a, MaybeTensor(min)); }
Tensor clampMaxTensor(const Tensor& a, const Tensor& max) { return at::clamp(a, MaybeTensor(), MaybeTensor(max)); }
Tensor clampInTurn(const Tensor& a, std::optional<Scalar> min, std::optional<Scalar> max) {
    const auto number = [](const std::optional<Scalar>& s) { return s ? wrappedNumber(*s) : Tensor(); };
    const Opmath math({a, number(min), number(max)});
    Tensor result = math.up(a);
    if (min) result = at::clamp_min(result, *min);
    if (max) result = at::clamp_max(result, *max);
    return math.down(result);
}
Tensor clampInTurnByTensors(const Tensor& a, const MaybeTensor& min, const MaybeTensor& max) {
    const Opmath math({a, min.value_or(Tensor()), max.value_or(Tensor())});
    Tensor result = math.up(a);
    if (min) result = at::clamp_min(result, math.up(*min));
    if (max) result = at::clamp_max(result, math.up(*max));
    return math.down(result);
}
Tensor floorDivide(const Tensor& a, const Tensor& b) { return at::div(a, b, "floor"); }
Tensor frac(const Tensor& a) {
    const Opmath math({a});
    const Tensor x = math.up(a);
    return math.down(minus(x, at::trunc(x)));
}
/// For a complex number, it is a direction.
std::optional<Tensor> sgn(const Tensor& a) {
    if (a.is_complex()) return std::nullopt;
    const Opmath math({a});
    return math.down(math.up(a).sign());
}
std::optional<Tensor> isInfinity(const Tensor& a, double infinity) {
    if (!a.is_floating_point()) return std::nullopt;
    return Opmath({a}).up(a).eq(infinity);
}
std::optional<Tensor> isPositiveInfinity(const Tensor& a) { return isInfinity(a, kInfinity); }
std::optional<Tensor> isNegativeInfinity(const Tensor& a) { return isInfinity(a, -kInfinity); }
Tensor xlogy(const Tensor& x, const Tensor& y) {
    const Opmath math({x, y}, /*intToFloat=*/true);
    const Tensor a = math.up(x), b = math.up(y);
    const Tensor product = choose(a.eq(0), Scalar(0), times(a, at::log(b)));
    return math.down(choose(at::isnan(b), Scalar(std::numeric_limits<double>::quiet_NaN()), product));
}

std::optional<Tensor> nanToNum(const Tensor& a, std::optional<double> nan, std::optional<double> high,
                               std::optional<double> low) {
    if (a.is_complex()) return std::nullopt;
    if (at::isIntegralType(a.scalar_type(), /*includeBool=*/true)) return at::clone(a);
    double largest = std::numeric_limits<double>::max();
    if (a.scalar_type() == at::kFloat) largest = std::numeric_limits<float>::max();
    if (a.scalar_type() == at::kHalf) largest = std::numeric_limits<c10::Half>::max();
    if (a.scalar_type() == at::kBFloat16) largest = std::numeric_limits<c10::BFloat16>::max();
    Tensor result = choose(at::isnan(a), Scalar(nan.value_or(0)), a);
    result = choose(at::isneginf(a), Scalar(low.value_or(-largest)), result);
    return choose(at::isposinf(a), Scalar(high.value_or(largest)), result);
}
/// Both with the same size.
std::pair<Tensor, Tensor> broadcast(const Tensor& a, const Tensor& b) {
    const Sizes sizes = at::infer_size(a.sizes(), b.sizes());
    const auto fit = [&](const Tensor& t) { return t.sizes() == at::IntArrayRef(sizes) ? t : t.expand(sizes); };
    return {fit(a), fit(b)};
}
std::optional<Tensor> logaddexp(const Tensor& x, const Tensor& y) {
    if (x.is_complex() || y.is_complex()) return std::nullopt;
    const Opmath math({x, y});
    const auto [a, b] = broadcast(math.up(x), math.up(y));
    const Tensor isFirst = a.ge(b);
    const Tensor larger = choose(isFirst, a, b), smaller = choose(isFirst, b, a);
    const Tensor infinite = at::isfinite(a).logical_not().logical_and(a.eq(b));
    return math.down(choose(infinite, a, plus(larger, at::log1p(at::exp(minus(smaller, larger))))));
}
Tensor heaviside(const Tensor& self, const Tensor& given) {
    const Opmath math({self, given});
    const auto [x, values] = broadcast(math.up(self), math.up(given));
    const Tensor isZero = x.eq(0), isNegative = x.lt(0).logical_or(at::isnan(x));
    return math.down(choose(isZero, values, at::where(isNegative, Scalar(0), Scalar(1))));
}
Tensor logit(const Tensor& self, std::optional<double> eps) {
    const Opmath math({self}, /*intToFloat=*/true);
    const double low = eps.value_or(-1), high = 1 - low;
    const Tensor x = math.up(self);
    const Tensor isLow = x.lt(low), bounded = choose(isLow, Scalar(low), choose(x.gt(high), Scalar(high), x));
    return math.down(at::log(over(bounded, minus(1, bounded))));
}
Tensor logitBackward(const Tensor& grad, const Tensor& self, std::optional<double> eps) {
    const Opmath math({grad, self});
    const Tensor g = math.up(grad), x = math.up(self);
    const double low = eps.value_or(0), high = 1 - low;
    const Tensor inside = x.ge(low).logical_and(x.le(high)), slope = over(g, times(x, minus(1.0, x)));
    if (eps) return math.down(choose(inside, slope, Scalar(0.0)));
    return math.down(choose(inside, slope, x.new_full({}, std::numeric_limits<double>::quiet_NaN())));
}
Tensor entropy(const Tensor& self) {
    const Opmath math({self}, /*intToFloat=*/true);
    const Tensor x = math.up(self);
    const Tensor isNan = at::isnan(x), isPositive = x.gt(0), inner = times(x.neg(), at::log(x));
    const Tensor edge = at::where(x.eq(0), Scalar(0), Scalar(-kInfinity));
    return math.down(choose(isNan, x, choose(isPositive, inner, edge)));
}
Tensor sinc(const Tensor& self) {
    const Opmath math({self}, /*intToFloat=*/true);
    const Tensor x = times(std::numbers::pi, math.up(self));
    return math.down(choose(x.eq(0), Scalar(1), over(at::sin(x), x)));
}
/// From the closer end: exact at both.
Tensor interpolated(const Tensor& from, const Tensor& to, const Tensor& weight) {
    const Tensor isLarge = at::abs(weight).ge(0.5);
    const Tensor factor = choose(isLarge, minus(weight, 1), weight), base = choose(isLarge, to, from);
    return plus(times(factor, minus(to, from)), base);
}
Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight) {
    const Opmath math({start, end, weight});
    return math.down(interpolated(math.up(start), math.up(end), math.up(weight)));
}
Tensor lerpByNumber(const Tensor& start, const Tensor& end, const Scalar& weight) {
    const Opmath math({start, end});
    const Tensor from = math.up(start);
    return math.down(interpolated(from, math.up(end), from.new_full({}, weight)));
}
Tensor lerpByAddcmul(const Tensor& start, const Tensor& end, const Tensor& weight) {
    const Tensor difference = minus(end, start), isLarge = at::abs(weight).ge(0.5);
    const Tensor factor = choose(isLarge, at::neg(minus(1.0, weight)), weight);
    return at::addcmul(choose(isLarge, end, start), factor, difference);
}
Tensor lerpByNumberOnce(const Tensor& start, const Tensor& end, const Scalar& weight) {
    const double w = weight.toDouble();
    const Tensor difference = minus(end, start);
    return w >= 0.5 || w <= -0.5 ? at::add(end, difference, -(1 - w)) : at::add(start, difference, weight);
}
Tensor fminOf(const Tensor& a, const Tensor& b) { return choose(at::isnan(b).__or__(b.gt(a)), a, b); }
Tensor fmaxOf(const Tensor& a, const Tensor& b) { return choose(at::isnan(b).__or__(b.lt(a)), a, b); }
Tensor degToRad(const Tensor& a) {
    const Opmath math({a}, /*intToFloat=*/true);
    return math.down(times(math.up(a), std::numbers::pi / 180));
}
Tensor radToDeg(const Tensor& a) {
    const Opmath math({a}, /*intToFloat=*/true);
    return math.down(times(math.up(a), 180 / std::numbers::pi));
}
Tensor nansum(const Tensor& a, const std::optional<Sizes>& dims, bool keepdim, std::optional<Dtype> type) {
    const Tensor numbers = choose(at::isnan(a), Scalar(0), a);
    return at::sum(numbers, dims ? at::OptionalIntArrayRef(*dims) : std::nullopt, keepdim, type);
}
Tensor countNonzero(const Tensor& a, const Sizes& dims) { return at::sum(a.ne(0), dims); }

// --- Types ------------------------------------------------------------------------------------------------------

Tensor toCopy(const Tensor& self, std::optional<Dtype> type, std::optional<at::Layout>,
              std::optional<at::Device> device, std::optional<bool>, bool nonBlocking,
              std::optional<at::MemoryFormat> format) {
    if (!type && !device && !format) return at::clone(self);
    Tensor result = self;
    const bool moves = device && *device != self.device(), first = type && moves && device->is_cpu();
    if (first) result = prims::convertElementType(result, *type);
    if (moves) result = prims::devicePut(result, *device, nonBlocking);
    if (type && !first) result = prims::convertElementType(result, *type);
    return format ? at::clone(result, *format) : result;
}

// --- Reductions ---------------------------------------------------------------------------------------------------

Tensor sumAll(const Tensor& a, std::optional<Dtype> type) { return at::sum(a, at::IntArrayRef{}, false, type); }
Tensor allTrue(const Tensor& a) { return at::logical_not(at::any(at::logical_not(a), at::OptionalIntArrayRef())); }
Tensor allTrueAlong(const Tensor& a, std::int64_t dim, bool keepdim) {
    return at::logical_not(at::any(at::logical_not(a), dim, keepdim));
}
Tensor allTrueAlongDims(const Tensor& a, const std::optional<Sizes>& dims, bool keepdim) {
    return at::logical_not(at::any(at::logical_not(a), dims ? at::OptionalIntArrayRef(*dims) : std::nullopt, keepdim));
}
std::tuple<Tensor, Tensor> aminmax(const Tensor& a, std::optional<std::int64_t> dim, bool keepdim) {
    const Sizes dims = dim ? Sizes{*dim} : Sizes{};
    const Tensor low = at::amin(a, dims, keepdim);
    return {low, at::amax(a, dims, keepdim)};
}
std::optional<Tensor> amaxOfBool(const Tensor& a, const Sizes& dims, bool keepdim) {
    if (a.scalar_type() != at::kBool) return std::nullopt;
    return at::any(a, dims.empty() ? std::nullopt : at::OptionalIntArrayRef(dims), keepdim);
}
std::optional<Tensor> aminOfBool(const Tensor& a, const Sizes& dims, bool keepdim) {
    if (a.scalar_type() != at::kBool) return std::nullopt;
    return at::all(a, dims.empty() ? std::nullopt : at::OptionalIntArrayRef(dims), keepdim);
}
Tensor logsumexp(const Tensor& given, const Sizes& dims, bool keepdim) {
    const Opmath math({given}, /*intToFloat=*/true);
    const Tensor a = math.up(given);
    if (a.numel() == 0) return math.down(at::log(sumOver(at::exp(a), dims, keepdim)));
    Tensor largest = at::amax(a.is_complex() ? at::real(a) : a, dims, true);
    largest = largest.masked_fill(at::abs(largest).eq(kInfinity), 0);
    const Tensor shift = keepdim ? largest : at::squeeze(largest, dims);
    const Tensor total = sumOver(at::exp(minus(a, largest)), dims, keepdim);
    return math.down(plus(at::log(total), shift));
}
Tensor standardDeviation(const Tensor& given, const std::optional<Sizes>& dims, const std::optional<Scalar>& correction,
                         bool keepdim) {
    const Tensor a = cast(given, computationType(given.scalar_type()));
    const Tensor variance =
        at::var(a, dims ? at::OptionalIntArrayRef(*dims) : std::nullopt, correction.value_or(Scalar(1)), keepdim);
    return cast(at::sqrt(variance), c10::toRealValueType(given.scalar_type()));
}
std::tuple<Tensor, Tensor> standardDeviationMean(const Tensor& given, const std::optional<Sizes>& dims,
                                                 const std::optional<Scalar>& correction, bool keepdim) {
    const Tensor a = cast(given, computationType(given.scalar_type()));
    const auto [variance, mean] =
        at::var_mean(a, dims ? at::OptionalIntArrayRef(*dims) : std::nullopt, correction.value_or(Scalar(1)), keepdim);
    return {cast(at::sqrt(variance), c10::toRealValueType(given.scalar_type())), cast(mean, given.scalar_type())};
}

// --- Products -----------------------------------------------------------------------------------------------------

Tensor dot(const Tensor& x, const Tensor& y) {
    const Opmath math({x, y});
    return math.down(sumOver(times(math.up(x), math.up(y))));
}
Tensor mv(const Tensor& x, const Tensor& y) {
    const Opmath math({x, y});
    return math.down(sumOver(times(math.up(x), math.up(y)), {1}));
}
Tensor scaled(const Tensor& t, const Scalar& factor) { return factor.equal(1) ? t : times(t, factor); }
Tensor baddbmm(const Tensor& self, const Tensor& x, const Tensor& y, const Scalar& beta, const Scalar& alpha) {
    const Opmath math({self, x, y});
    const Tensor product = scaled(at::bmm(math.up(x), math.up(y)), alpha);
    if (beta.equal(0)) return math.down(product);
    return math.down(plus(scaled(math.up(self), beta), product));
}
Tensor addmv(const Tensor& self, const Tensor& x, const Tensor& y, const Scalar& beta, const Scalar& alpha) {
    const Opmath math({self, x, y});
    const Tensor product = times(alpha, at::mv(math.up(x), math.up(y)));
    if (beta.equal(0)) return math.down(product);
    const Tensor addend = times(beta, math.up(self));
    return math.down(product.numel() == 0 ? addend : plus(product, addend));
}

/// The product of a row and a column as a sum of products.
Tensor rowByColumn(const Tensor& row, const Tensor& column) {
    return sumOver(times(at::squeeze(row, 0), at::squeeze(column, -1)), {0}, true).unsqueeze(0);
}
std::optional<Tensor> mmOfVectors(const Tensor& x, const Tensor& y) {
    const Opmath math({x, y});
    if (x.size(-1) == 1 && x.size(0) != 1 && y.size(1) != 1) {
        const bool small =
            x.size(0) > 0 && y.size(0) == 1 && x.scalar_type() == y.scalar_type() && x.numel() + y.numel() <= 32;
        if (!x.is_cpu() || small) return math.down(times(math.up(x), math.up(y)));
    }
    if (x.is_cpu() && x.size(0) == 1 && y.size(-1) == 1) return math.down(rowByColumn(math.up(x), math.up(y)));
    return std::nullopt;
}
std::optional<Tensor> addmmOfVectors(const Tensor& self, const Tensor& x, const Tensor& y, const Scalar& beta,
                                     const Scalar& alpha) {
    constexpr std::int64_t small = 16;
    const bool outer = !x.is_cpu() && x.size(-1) == 1 && x.size(0) != 1 && y.size(1) != 1;
    const bool inner = x.is_cpu() && x.size(0) == 1 && y.size(-1) == 1;
    const bool row = x.is_cpu() && x.size(0) == 1 && y.size(0) <= small && y.size(1) <= small;
    if (!outer && !inner && !row) return std::nullopt;
    const Opmath math({self, x, y});
    const Tensor a = math.up(x), b = math.up(y);
    const Tensor product = outer ? times(a, b) : inner ? rowByColumn(a, b) : sumOver(times(a.t(), b), {0}, true);
    return math.down(plus(times(alpha, product), times(beta, math.up(self))));
}
std::optional<Tensor> bmmOfVectors(const Tensor& x, const Tensor& y) {
    const Opmath math({x, y});
    if (x.size(2) == 1 && y.size(1) == 1) return math.down(times(math.up(x), math.up(y)).contiguous());
    if (x.is_cpu() && x.size(1) == 1 && y.size(-1) == 1)
        return math.down(
            sumOver(times(at::squeeze(math.up(x), 1), at::squeeze(math.up(y), -1)), {1}, true).unsqueeze(1));
    return std::nullopt;
}

/// On a GPU, the gradient of the bias is a separate sum.
std::optional<std::tuple<Tensor, Tensor, Tensor>> convolutionBackward(
    const Tensor& grad, const Tensor& input, const Tensor& weight, const std::optional<Sizes>& biasSizes,
    const Sizes& stride, const Sizes& padding, const Sizes& dilation, bool transposed, const Sizes& outputPadding,
    std::int64_t groups, const std::vector<bool>& mask) {
    if (!mask[2] || !grad.is_cuda()) return std::nullopt;
    Sizes dims = {0};
    for (std::int64_t d = 2; d < grad.dim(); ++d) dims.push_back(d);
    const Tensor ofBias = sumOver(grad, dims);
    const auto [ofInput, ofWeight, none] = at::convolution_backward(
        grad, input, weight, biasSizes ? at::OptionalIntArrayRef(*biasSizes) : std::nullopt, stride, padding, dilation,
        transposed, outputPadding, groups, {mask[0], mask[1], false});
    return std::tuple(ofInput, ofWeight, ofBias);
}

}  // namespace

std::vector<DecompositionRow> elementwiseDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.rsub.Scalar", "rsub", rule<rsubScalar>, both},
        {"aten.rsub.Tensor", "rsub", rule<rsubTensor>, both},
        {"aten.addcmul.default", "addcmul", rule<addcmul>, kCoreAten},
        {"aten.addcdiv.default", "addcdiv", rule<addcdiv>, kCoreAten},
        {"aten.clamp_min.default", "clamp", rule<clampMin>, kCoreAten},
        {"aten.clamp_max.default", "clamp", rule<clampMax>, kCoreAten},
        {"aten.clamp_min.Tensor", "clamp", rule<clampMinTensor>, kCoreAten},
        {"aten.clamp_max.Tensor", "clamp", rule<clampMaxTensor>, kCoreAten},
        {"aten.clamp.default", "clamp_in_turn", rule<clampInTurn>, kInductor},
        {"aten.clamp.Tensor", "clamp_in_turn", rule<clampInTurnByTensors>, kInductor},
        {"aten.floor_divide.default", "floor_divide", rule<floorDivide>, both},
        {"aten.frac.default", "frac", rule<frac>, both},
        {"aten.sgn.default", "sgn", rule<sgn>, both},
        {"aten.isposinf.default", "isinf", rule<isPositiveInfinity>, both},
        {"aten.isneginf.default", "isinf", rule<isNegativeInfinity>, both},
        {"aten.xlogy.Tensor", "xlogy", rule<xlogy>, both},
        {"aten.nan_to_num.default", "nan_to_num", rule<nanToNum>, both},
        {"aten.logaddexp.default", "logaddexp", rule<logaddexp>, both},
        {"aten.heaviside.default", "heaviside", rule<heaviside>, both},
        {"aten.logit.default", "logit", rule<logit>, both},
        {"aten.logit_backward.default", "logit_backward", rule<logitBackward>, both},
        {"aten.special_entr.default", "entr", rule<entropy>, both},
        {"aten.sinc.default", "sinc", rule<sinc>, both},
        {"aten.lerp.Tensor", "lerp", rule<lerp>, kCoreAten},
        {"aten.lerp.Tensor", "lerp_by_addcmul", rule<lerpByAddcmul>, kInductor},
        {"aten.lerp.Scalar", "lerp", rule<lerpByNumber>, kCoreAten},
        {"aten.lerp.Scalar", "lerp_by_add", rule<lerpByNumberOnce>, kInductor},
        {"aten.fmin.default", "fmin", rule<fminOf>, kInductor},
        {"aten.fmax.default", "fmax", rule<fmaxOf>, kInductor},
        {"aten.deg2rad.default", "deg2rad", rule<degToRad>, both},
        {"aten.rad2deg.default", "rad2deg", rule<radToDeg>, both},
        {"aten.nansum.default", "nansum", rule<nansum>, both},
        {"aten.count_nonzero.dim_IntList", "count_nonzero", rule<countNonzero>, both},
        {"aten._to_copy.default", "convert_element_type", rule<toCopy>, kInductor | kPrims},
        {"aten.sum.default", "sum", rule<sumAll>, kCoreAten},
        {"aten.all.default", "all", rule<allTrue>, both},
        {"aten.all.dim", "all", rule<allTrueAlong>, both},
        {"aten.all.dims", "all", rule<allTrueAlongDims>, both},
        {"aten.aminmax.default", "aminmax", rule<aminmax>, both},
        {"aten.amax.default", "any", rule<amaxOfBool>, kInductor},
        {"aten.amin.default", "all", rule<aminOfBool>, kInductor},
        {"aten.logsumexp.default", "logsumexp", rule<logsumexp>, both},
        {"aten.std.correction", "std", rule<standardDeviation>, both},
        {"aten.std_mean.correction", "std", rule<standardDeviationMean>, both},
        {"aten.dot.default", "dot", rule<dot>, both},
        {"aten.mv.default", "mv", rule<mv>, both},
        {"aten.baddbmm.default", "baddbmm", rule<baddbmm>, kCoreAten},
        {"aten.addmv.default", "addmv", rule<addmv>, kInductor},
        {"aten.mm.default", "mm_of_vectors", rule<mmOfVectors>, kInductor},
        {"aten.addmm.default", "addmm_of_vectors", rule<addmmOfVectors>, kInductor},
        {"aten.bmm.default", "bmm_of_vectors", rule<bmmOfVectors>, kInductor},
        {"aten.convolution_backward.default", "bias_gradient", rule<convolutionBackward>, kInductor},
    };
}

}  // namespace aotscope
