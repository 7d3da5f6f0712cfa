#include "verify/judge/comparison.h"

#include "aten/packed.h"
#include "record/results/rounding.h"
#include "verify/judge/dtype_rounding.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace aotscope {

namespace {

/// Differences larger than this, relative to the largest element, are not rounding. Integers do not round.
double shareOf(at::ScalarType type, const Tolerance& tolerance) {
    constexpr double unmeasured = 25, ofLowPrecision = 6;
    if (c10::isIntegralType(type, /*includeBool=*/true)) return 0;
    const double more = tolerance.measurable ? 1 : isLowPrecision(type) ? ofLowPrecision : unmeasured;
    switch (type) {
        case at::kDouble:
        case at::kComplexDouble: return kRounding.float64;
        case at::kHalf: return more * kRounding.float16;
        case at::kBFloat16: return more * kRounding.bfloat16;
        default: return isLowPrecision(type) ? epsilonOf(type) : more * kRounding.float32;
    }
}

/// Replaces the largest element of a tensor of zeros.
constexpr double kSmallest = 1e-12;

double rootMeanSquare(const at::Tensor& t) { return t.square().mean().sqrt().item<double>(); }

/// In low precision, single elements may be far off, but not all of them: returns the elements further off than the
/// allowed average if the average of all is, too. `most` is 0 if unknown.
at::Tensor beyondOnAverage(const at::Tensor& distance, const at::Tensor& magnitude, double ofEach, double most) {
    const double bound = std::max(most, ofEach / 4 * rootMeanSquare(magnitude));
    const bool beyond = most > 0 && ofEach > 0 && rootMeanSquare(distance) > bound;
    return beyond ? distance.gt(bound) : at::zeros_like(distance, at::kBool);
}

std::vector<std::int64_t> indexOf(std::int64_t element, at::IntArrayRef sizes) {
    std::vector<std::int64_t> index(sizes.size());
    for (std::size_t d = sizes.size(); d-- > 0; element /= sizes[d]) index[d] = element % sizes[d];
    return index;
}

std::string elementText(const at::Tensor& contiguous, std::int64_t element) {
    return c10::str(contiguous.view({-1})[element].item());
}

std::string typeText(const at::Tensor& t) { return c10::str(t.scalar_type(), t.sizes()); }

Difference presence(const std::string& what, const std::string& expected, const std::string& actual) {
    Difference d;
    d.kind = Difference::Kind::presence;
    d.what = what;
    d.expected = expected;
    d.actual = actual;
    return d;
}

std::string kindText(const c10::IValue& value) {
    if (isTensor(value)) return "a tensor";
    return value.isNone() || value.isTensor() ? "nothing" : c10::str(value);
}

}  // namespace

std::string inputText(const std::string& name) { return "input '" + name + "' after the run"; }
std::string gradientText(const std::string& name) { return "gradient of '" + name + "'"; }

TensorComparison compareTensors(const std::string& what, const at::Tensor& expected, const at::Tensor& actual,
                                const Tolerance& tolerance) {
    const auto bits = [](const at::Tensor& t) { return t.detach().view(integersOf(t.scalar_type())); };
    if (isPacked(expected.scalar_type()) && expected.scalar_type() == actual.scalar_type())
        return compareTensors(what, bits(expected), bits(actual), tolerance);
    TensorComparison result;
    Difference found;
    found.what = what;
    if (expected.sizes() != actual.sizes() || expected.scalar_type() != actual.scalar_type()) {
        found.kind = Difference::Kind::shape;
        found.expected = typeText(expected);
        found.actual = typeText(actual);
        return {INFINITY, INFINITY, 0, 0, std::move(found)};
    }
    if (expected.numel() == 0) return result;
    const at::NoGradGuard noGrad;
    const auto wide = expected.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = expected.detach().to(at::kCPU).to(wide).contiguous(),
                     b = actual.detach().to(at::kCPU).to(wide).contiguous();
    const at::Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
    // An infinity or a NaN on only one side is further off than any number.
    at::Tensor distance = a.sub(b).abs().masked_fill(same, 0).nan_to_num(INFINITY, INFINITY, INFINITY);
    at::Tensor magnitude = a.abs().nan_to_num(0, 1, 1);
    double largest = std::max(magnitude.max().item<double>(), kSmallest);
    const double share = result.tolerance = shareOf(expected.scalar_type(), tolerance);
    result.maxAbs = distance.max().item<double>();
    result.error = result.maxAbs / largest;
    if (result.error <= share) return result;
    const std::string& name = tolerance.name.empty() ? what : tolerance.name;
    const at::Tensor noise = tolerance.noise ? tolerance.noise->allowed(name) : at::Tensor();
    at::Tensor beyond;
    if (noise.defined() && noise.sizes() == expected.sizes()) {
        const at::Tensor meaningless = noise.isinf();
        result.meaningless = meaningless.sum().item<std::int64_t>();
        distance = distance.masked_fill(meaningless, 0);
        magnitude = magnitude.masked_fill(meaningless, 0);
        largest = std::max(magnitude.max().item<double>(), kSmallest);
        result.maxAbs = distance.max().item<double>();
        result.error = result.maxAbs / std::max(largest, tolerance.noise->scale());
        const double ofEach = tolerance.noise->allowedShare(name);
        const double most = noise.masked_fill(meaningless, 0).max().item<double>() / largest;
        result.tolerance = std::max({share, ofEach, most});
        beyond = distance.gt(noise.clamp_min(share * largest).maximum(magnitude.mul(ofEach)))
                     .logical_or(beyondOnAverage(distance, magnitude, ofEach, tolerance.noise->allowedOnAverage(name)));
    } else {
        beyond = distance.gt(share * largest);
    }
    found.count = beyond.sum().item<std::int64_t>();
    if (found.count == 0) return result;
    found.maxAbs = result.maxAbs;
    result.error = found.maxRel = result.maxAbs / largest;
    const at::Tensor wrong = distance.masked_fill(beyond.logical_not(), 0);
    const auto element = wrong.view({-1}).argmax().item<std::int64_t>();
    found.index = indexOf(element, expected.sizes());
    found.expected = elementText(expected.detach().to(at::kCPU).contiguous(), element);
    found.actual = elementText(actual.detach().to(at::kCPU).contiguous(), element);
    found.total = expected.numel();
    result.difference = std::move(found);
    return result;
}

std::optional<Difference> compareValues(const std::string& what, const c10::IValue& expected, const c10::IValue& actual,
                                        const Tolerance& tolerance) {
    if (isTensor(expected) && isTensor(actual))
        return compareTensors(what, expected.toTensor(), actual.toTensor(), tolerance).difference;
    const bool none = (expected.isNone() || expected.isTensor()) && (actual.isNone() || actual.isTensor());
    if (isTensor(expected) == isTensor(actual) && (none || expected == actual)) return std::nullopt;
    return presence(what, kindText(expected), kindText(actual));
}

std::optional<Difference> compareStrides(const std::string& what, const at::Tensor& expected,
                                         const at::Tensor& actual) {
    if (expected.sizes() != actual.sizes() || expected.numel() == 0) return std::nullopt;
    for (std::int64_t d = 0; d < expected.dim(); ++d) {
        if (expected.size(d) == 1 || expected.stride(d) == actual.stride(d)) continue;
        Difference found;
        found.kind = Difference::Kind::strides;
        found.what = what;
        found.expected = c10::str(expected.strides());
        found.actual = c10::str(actual.strides());
        return found;
    }
    return std::nullopt;
}

at::Tensor wholeMemory(const at::Tensor& view) {
    const at::NoGradGuard noGrad;
    const auto items = static_cast<std::int64_t>(view.storage().nbytes() / view.itemsize());
    return at::empty({0}, view.options()).set_(view.storage(), 0, {items}, {1});
}

}  // namespace aotscope
