#include "ops/before_autograd/resampling.h"

#include <ATen/native/UpSample.h>
#include <ATen/ops/_unsafe_index.h>

namespace aotscope::rules::resampling {

namespace {

/// The distance in the input between neighbours in the result.
Scalar stepOf(const Axis& axis, bool alignCorners) {
    const auto in = static_cast<double>(axis.in), out = static_cast<double>(axis.out);
    if (alignCorners) return axis.out > 1 ? Scalar((in - 1) / (out - 1)) : Scalar(0);
    return axis.scale.value_or(0) > 0 ? 1 / *axis.scale : in / out;
}

}  // namespace

std::optional<Axes> axesOf(const Tensor& input, const Sizes& sizes, const std::vector<std::optional<double>>& scales) {
    if (sizes.size() != scales.size() || input.dim() != static_cast<std::int64_t>(sizes.size()) + 2 ||
        input.numel() == 0)
        return std::nullopt;
    Axes axes;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 1) return std::nullopt;
        axes.push_back({input.size(static_cast<std::int64_t>(i) + 2), sizes[i], scales[i]});
    }
    return axes;
}

std::optional<Axes> axesOf(const Tensor& input, std::size_t dims, const std::optional<Sizes>& sizes,
                           const std::optional<Factors>& factors) {
    if (sizes.has_value() == factors.has_value() || (factors && factors->size() != dims)) return std::nullopt;
    std::vector<std::optional<double>> scales(dims);
    if (!factors) return axesOf(input, *sizes, scales);
    if (input.dim() != static_cast<std::int64_t>(dims) + 2) return std::nullopt;
    const auto made = at::native::upsample::compute_output_size(input.sizes(), std::nullopt, *factors);
    scales.assign(factors->begin(), factors->end());
    return axesOf(input, Sizes(made.begin(), made.end()), scales);
}

Tensor placesOf(const Axis& axis, bool alignCorners, const Tensor& steps) {
    const Scalar step = stepOf(axis, alignCorners);
    return alignCorners ? times(step, steps) : minus(times(step, plus(steps, 0.5)), 0.5);
}

bool staysInside(const Axis& axis, bool alignCorners) {
    const float step = stepOf(axis, alignCorners).toFloat(), last = static_cast<float>(axis.out - 1);
    const float place = alignCorners ? step * last : step * (last + 0.5F) - 0.5F;
    return place < static_cast<float>(axis.in);
}

Tensor elements(const Tensor& image, const std::vector<Tensor>& places) {
    c10::List<std::optional<Tensor>> indices;
    indices.push_back(std::nullopt);
    indices.push_back(std::nullopt);
    for (const Tensor& place : places) indices.push_back(place);
    return at::_unsafe_index(image, indices);
}

Tensor laidOut(const Tensor& result, const Tensor& image, bool contiguous) {
    return result.contiguous(contiguous ? at::MemoryFormat::Contiguous : image.suggest_memory_format());
}

}  // namespace aotscope::rules::resampling
