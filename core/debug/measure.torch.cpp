#include "debug/measure.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ir/printer.h"
#include "support/error.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/var_mean.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotscope {

namespace {

constexpr std::int64_t kBins = 40, kFirst = 64, kLargestImage = 256;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The elements as float or double: half types widened, integers as doubles, complex ones as absolute values.
at::Tensor realElements(const at::Tensor& tensor) {
    at::Tensor x = tensor.detach();
    if (x.scalar_type() == at::kComplexHalf) x = x.to(at::kComplexFloat);
    if (x.is_complex()) return x.abs();
    if (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) return x;
    return x.to(x.is_floating_point() ? at::kFloat : at::kDouble);
}

/// The first elements in row-major order, without a copy of the whole.
std::vector<double> firstOf(at::Tensor x) {
    for (std::int64_t d = 0, inner = x.numel(); d < x.dim(); ++d) {
        inner /= x.size(d);
        const std::int64_t needed = std::min(x.size(d), (kFirst + inner - 1) / inner);
        x = x.narrow(d, 0, needed);
        if (needed > 1) break;
    }
    x = x.reshape({-1});
    x = realElements(x.slice(0, 0, std::min(x.numel(), kFirst))).to(at::kCPU, at::kDouble).contiguous();
    return {x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel()};
}

/// `whole`: all elements are integers, for which bins narrower than 1 would stay empty.
std::vector<std::int64_t> histogramOf(const at::Tensor& finite, double min, double max, bool whole) {
    if (min == max) return {finite.numel()};
    const auto bins = whole ? static_cast<std::int64_t>(std::min<double>(kBins, max - min + 1)) : kBins;
    const bool wide = max - min > static_cast<double>(std::numeric_limits<float>::max());
    const at::Tensor counts = at::histc(wide ? finite.to(at::kDouble) : finite, bins, min, max).to(at::kCPU, at::kLong);
    return {counts.const_data_ptr<std::int64_t>(), counts.const_data_ptr<std::int64_t>() + counts.numel()};
}

double deviationOf(const at::Tensor& finite, double& mean) {
    const auto [variance, average] = at::var_mean(finite, /*unbiased=*/finite.numel() > 1);
    mean = average.item<double>();
    const double deviation = std::sqrt(variance.item<double>());
    const bool overflow = !std::isfinite(deviation) || !std::isfinite(mean);
    return overflow && finite.scalar_type() != at::kDouble ? deviationOf(finite.to(at::kDouble), mean) : deviation;
}

void measure(const at::Tensor& tensor, ValueFacts& facts) {
    const at::Tensor x = realElements(tensor);
    auto [low, high] = at::aminmax(x);
    at::Tensor finite = x;
    // A NaN makes both of them NaN.
    if (!std::isfinite(low.item<double>()) || !std::isfinite(high.item<double>())) {
        facts.nans = x.isnan().sum().item<std::int64_t>();
        facts.infs = x.isinf().sum().item<std::int64_t>();
        finite = x.masked_select(x.isfinite());
        if (finite.numel() == 0) return;
        std::tie(low, high) = at::aminmax(finite);
    }
    facts.min = low.item<double>();
    facts.max = high.item<double>();
    facts.absMax = std::max(std::abs(facts.min), std::abs(facts.max));
    facts.zeros = x.numel() - x.count_nonzero().item<std::int64_t>();
    facts.deviation = deviationOf(finite, facts.mean);
    facts.histogram = histogramOf(finite, facts.min, facts.max, !tensor.is_floating_point() && !tensor.is_complex());
}

void measureNumber(double number, std::string type, ValueFacts& facts) {
    facts.type = std::move(type);
    facts.elements = 1;
    facts.nans = std::isnan(number);
    facts.infs = std::isinf(number);
    facts.zeros = number == 0;
    facts.first = {number};
    if (!std::isfinite(number)) return;
    facts.min = facts.max = facts.mean = number;
    facts.deviation = 0;
    facts.absMax = std::abs(number);
    facts.histogram = {1};
}

}  // namespace

ValueFacts factsOf(const c10::IValue& value) {
    const at::NoGradGuard noGrad;
    ValueFacts facts;
    facts.min = facts.max = facts.mean = facts.deviation = facts.absMax = kNone;
    if (isTensor(value)) {
        const at::Tensor& tensor = value.toTensor();
        facts.tensor = true;
        facts.complex = tensor.is_complex();
        facts.type = printTensorType(typeOf(tensor));
        facts.sizes = tensor.sizes().vec();
        facts.elements = tensor.numel();
        if (tensor.numel() == 0) return facts;
        facts.first = firstOf(tensor);
        measure(tensor, facts);
    } else if (value.isBool()) {
        measureNumber(value.toBool(), "bool", facts);
    } else if (value.isInt()) {
        measureNumber(static_cast<double>(value.toInt()), "int", facts);
    } else if (value.isDouble()) {
        measureNumber(value.toDouble(), "float", facts);
    } else {
        facts.type = value.isNone() || value.isTensor() ? "None" : value.tagKind();
    }
    return facts;
}

std::optional<ValueImage> imageOf(const c10::IValue& value, const std::vector<std::int64_t>& leading) {
    if (!isTensor(value) || value.toTensor().dim() < 2 || value.toTensor().numel() == 0) return std::nullopt;
    const at::NoGradGuard noGrad;
    at::Tensor x = value.toTensor().detach();
    for (std::size_t i = 0; x.dim() > 2; ++i) {
        const std::int64_t index = i < leading.size() ? leading[i] : 0;
        if (index < 0 || index >= x.size(0))
            throw Error("there is no index " + std::to_string(index) + " in dimension " + std::to_string(i) +
                        " of a tensor of sizes " + c10::str(value.toTensor().sizes()));
        x = x.select(0, index);
    }
    ValueImage image{std::min(x.size(0), kLargestImage), std::min(x.size(1), kLargestImage), {}};
    x = realElements(x);
    if (x.size(0) > image.rows || x.size(1) > image.columns)
        x = at::adaptive_avg_pool2d(x.unsqueeze(0), {image.rows, image.columns});
    x = x.to(at::kCPU, at::kDouble).contiguous();
    image.cells.assign(x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel());
    return image;
}

NotFinite notFiniteIn(const c10::IValue& value) {
    if (value.isDouble()) return {std::isnan(value.toDouble()), std::isinf(value.toDouble())};
    if (!isTensor(value) || value.toTensor().numel() == 0) return {};
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.is_floating_point() && !tensor.is_complex()) return {};
    const at::NoGradGuard noGrad;
    const at::Tensor x = realElements(tensor);
    const auto [low, high] = at::aminmax(x);
    if (std::isfinite(low.item<double>()) && std::isfinite(high.item<double>())) return {};
    return {x.isnan().sum().item<std::int64_t>(), x.isinf().sum().item<std::int64_t>()};
}

}  // namespace aotscope
