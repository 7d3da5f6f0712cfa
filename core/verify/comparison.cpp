#include "verify/comparison.h"

#include "record/rounding.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <cmath>

namespace aotscope {

namespace {

/// Differences larger than this, relative to the largest element, are no rounding. Integers do not round.
double shareOf(at::ScalarType type, Tolerance::Of of) {
    if (c10::isIntegralType(type, /*includeBool=*/true)) return 0;
    switch (type) {
        case at::kDouble:
        case at::kComplexDouble: return kRounding.float64;
        case at::kHalf: return kRounding.float16;
        case at::kBFloat16: return kRounding.bfloat16;
        default: return of == Tolerance::Of::results ? kRounding.float32 : 1e-4;
    }
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

std::string outputText(std::size_t i) { return "output " + std::to_string(i); }
std::string inputText(const std::string& name) { return "input '" + name + "' after the run"; }
std::string gradientText(const std::string& name) { return "gradient of '" + name + "'"; }

TensorComparison compareTensors(const std::string& what, const at::Tensor& expected, const at::Tensor& actual,
                                const Tolerance& tolerance) {
    TensorComparison result;
    Difference found;
    found.what = what;
    if (expected.sizes() != actual.sizes() || expected.scalar_type() != actual.scalar_type()) {
        found.kind = Difference::Kind::shape;
        found.expected = typeText(expected);
        found.actual = typeText(actual);
        return {INFINITY, INFINITY, 0, std::move(found)};
    }
    if (expected.numel() == 0) return result;
    const at::NoGradGuard noGrad;
    const auto wide = expected.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = expected.detach().to(at::kCPU).to(wide).contiguous(),
                     b = actual.detach().to(at::kCPU).to(wide).contiguous();
    const at::Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
    // An infinity or a NaN that only one of them has is further off than any number.
    const at::Tensor distance = a.sub(b).abs().masked_fill(same, 0).nan_to_num(INFINITY, INFINITY, INFINITY);
    const double largest = std::max(a.abs().nan_to_num(0, 1, 1).max().item<double>(), 1e-12);
    result.maxAbs = found.maxAbs = distance.max().item<double>();
    result.error = found.maxRel = found.maxAbs / largest;
    const double share = result.tolerance = shareOf(expected.scalar_type(), tolerance.of);
    if (result.error <= share) return result;
    const at::Tensor noise = tolerance.noise ? tolerance.noise->allowed(what) : at::Tensor();
    const bool measured = noise.defined() && noise.sizes() == expected.sizes();
    const at::Tensor beyond = measured ? distance.gt(noise.clamp_min(share * largest)) : distance.gt(share * largest);
    if (measured) result.tolerance = std::max(share, noise.max().item<double>() / largest);
    found.count = beyond.sum().item<std::int64_t>();
    if (found.count == 0) {
        if (measured) result.error = found.maxAbs / std::max(largest, tolerance.noise->scale());
        return result;
    }
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
