#include "ops/before_autograd/resampling.h"
#include "ops/before_autograd/rules.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/mul.h>

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using namespace rules;
using namespace resampling;

// --- The nearest element ---

/// The input element that the kernel reads for element `i` of the result.
template <typename Number>
std::int64_t kernelPlace(const Axis& axis, std::int64_t i, bool exact) {
    const Number step = axis.scale.value_or(0) > 0 ? static_cast<Number>(1 / *axis.scale)
                                                   : static_cast<Number>(axis.in) / static_cast<Number>(axis.out);
    const Number place = (static_cast<Number>(i) + static_cast<Number>(exact ? 0.5 : 0)) * step;
    return std::min(static_cast<std::int64_t>(std::floor(static_cast<float>(place))), axis.in - 1);
}

double nearestStep(const Axis& axis) {
    const auto in = static_cast<double>(axis.in);
    return axis.scale.value_or(0) > 0 ? in / (in * *axis.scale) : in / static_cast<double>(axis.out);
}

/// Python's formula does not clamp to the input: it is used only where it agrees with the kernel.
bool findsWhatKernelFinds(const Axis& axis, bool exact, bool isDouble) {
    const auto step = static_cast<float>(nearestStep(axis));
    for (std::int64_t i = 0; i < axis.out; ++i) {
        const auto place = static_cast<std::int64_t>((static_cast<float>(i) + (exact ? 0.5F : 0.0F)) * step);
        if (place != (isDouble ? kernelPlace<double>(axis, i, exact) : kernelPlace<float>(axis, i, exact)))
            return false;
    }
    return true;
}

std::optional<Tensor> nearest(const Tensor& input, const Axes& axes, bool exact) {
    const bool isDouble = input.scalar_type() == at::kDouble;
    for (const Axis& axis : axes)
        if (!findsWhatKernelFinds(axis, exact, isDouble)) return std::nullopt;
    const Opmath math({input});
    const Tensor image = math.up(input);
    std::vector<Tensor> places;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Tensor steps = arange(axes[i].out, image, at::kFloat);
        const Tensor place = cast(times(plus(steps, exact ? 0.5 : 0.0), nearestStep(axes[i])), at::kLong);
        places.push_back(unsqueezeTo(place, static_cast<std::int64_t>(axes.size() - i)));
    }
    const Tensor result = elements(image, places);
    if (axes.size() == 1) return math.down(result);
    const bool plain = axes.size() == 2 && image.is_cuda() && image.size(1) < 4;
    return math.down(laidOut(result, image, plain));
}

template <std::size_t dims, bool exact>
std::optional<Tensor> nearestVec(const Tensor& input, const std::optional<Sizes>& sizes,
                                 const std::optional<Factors>& factors) {
    const auto axes = axesOf(input, dims, sizes, factors);
    return axes ? nearest(input, *axes, exact) : std::nullopt;
}
template <bool exact>
std::optional<Tensor> nearest1d(const Tensor& input, const Sizes& sizes, std::optional<double> w) {
    const auto axes = axesOf(input, sizes, {w});
    return axes ? nearest(input, *axes, exact) : std::nullopt;
}
template <bool exact>
std::optional<Tensor> nearest2d(const Tensor& input, const Sizes& sizes, std::optional<double> h,
                                std::optional<double> w) {
    const auto axes = axesOf(input, sizes, {h, w});
    return axes ? nearest(input, *axes, exact) : std::nullopt;
}
template <bool exact>
std::optional<Tensor> nearest3d(const Tensor& input, const Sizes& sizes, std::optional<double> d,
                                std::optional<double> h, std::optional<double> w) {
    const auto axes = axesOf(input, sizes, {d, h, w});
    return axes ? nearest(input, *axes, exact) : std::nullopt;
}

// --- Linear interpolation ---

/// For one dimension: the positions of the result's elements in the input, and the elements on both sides.
struct Between {
    Tensor place, lower, upper;
};

Between between(const Axis& axis, bool alignCorners, const Tensor& image, std::int64_t trailing) {
    const Tensor steps = cast(arange(axis.out, image), image.scalar_type());
    Between found;
    Sizes shape(static_cast<std::size_t>(1 + trailing), 1);
    shape[0] = axis.out;
    found.place = at::clamp(placesOf(axis, alignCorners, steps), Scalar(0.0)).reshape(shape);
    found.lower = cast(found.place, at::kLong);
    found.upper = at::clamp(plus(found.lower, 1), std::nullopt, Scalar(axis.in - 1));
    return found;
}

/// One dimension after the other, from the last one: each halves the number of images.
std::vector<Tensor> interpolated(std::vector<Tensor> images, const Tensor& share) {
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < images.size(); i += 2)
        result.push_back(plus(images[i], at::mul(minus(images[i + 1], images[i]), share)));
    return result;
}

std::optional<Tensor> linear(const Tensor& input, const Axes& axes, bool alignCorners) {
    if (!input.is_floating_point()) return std::nullopt;  // kernels round integers differently
    for (const Axis& axis : axes)
        if (!staysInside(axis, alignCorners)) return std::nullopt;
    const Opmath math({input});
    const Tensor image = math.up(input);
    std::vector<Between> sides;
    for (std::size_t i = 0; i < axes.size(); ++i)
        sides.push_back(between(axes[i], alignCorners, image, static_cast<std::int64_t>(axes.size() - 1 - i)));
    std::vector<Tensor> images;
    for (std::size_t corner = 0; corner < std::size_t{1} << axes.size(); ++corner) {
        std::vector<Tensor> places;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const bool upper = (corner >> (axes.size() - 1 - i) & 1) != 0;
            places.push_back(upper ? sides[i].upper : sides[i].lower);
        }
        images.push_back(elements(image, places));
    }
    for (std::size_t i = axes.size(); i-- > 0;)
        images = interpolated(std::move(images), at::clamp(minus(sides[i].place, sides[i].lower), 0.0, 1.0));
    return math.down(laidOut(images.front(), image, image.is_cuda() && image.size(1) < 16));
}

template <std::size_t dims>
std::optional<Tensor> linearVec(const Tensor& input, const std::optional<Sizes>& sizes, bool alignCorners,
                                const std::optional<Factors>& factors) {
    const auto axes = axesOf(input, dims, sizes, factors);
    return axes ? linear(input, *axes, alignCorners) : std::nullopt;
}
std::optional<Tensor> bilinear(const Tensor& input, const Sizes& sizes, bool alignCorners, std::optional<double> h,
                               std::optional<double> w) {
    const auto axes = axesOf(input, sizes, {h, w});
    return axes ? linear(input, *axes, alignCorners) : std::nullopt;
}

}  // namespace

std::vector<BeforeAutogradRow> upsamplingBeforeAutograd() {
    return {
        {"aten.upsample_nearest1d.vec", "upsample_nearest", rule<nearestVec<1, false>>},
        {"aten.upsample_nearest2d.vec", "upsample_nearest", rule<nearestVec<2, false>>},
        {"aten.upsample_nearest3d.vec", "upsample_nearest", rule<nearestVec<3, false>>},
        {"aten.upsample_nearest1d.default", "upsample_nearest", rule<nearest1d<false>>},
        {"aten.upsample_nearest2d.default", "upsample_nearest", rule<nearest2d<false>>},
        {"aten.upsample_nearest3d.default", "upsample_nearest", rule<nearest3d<false>>},
        {"aten._upsample_nearest_exact1d.vec", "upsample_nearest", rule<nearestVec<1, true>>},
        {"aten._upsample_nearest_exact2d.vec", "upsample_nearest", rule<nearestVec<2, true>>},
        {"aten._upsample_nearest_exact3d.vec", "upsample_nearest", rule<nearestVec<3, true>>},
        {"aten._upsample_nearest_exact1d.default", "upsample_nearest", rule<nearest1d<true>>},
        {"aten._upsample_nearest_exact2d.default", "upsample_nearest", rule<nearest2d<true>>},
        {"aten._upsample_nearest_exact3d.default", "upsample_nearest", rule<nearest3d<true>>},
        {"aten.upsample_linear1d.vec", "upsample_linear", rule<linearVec<1>>},
        {"aten.upsample_bilinear2d.vec", "upsample_linear", rule<linearVec<2>>},
        {"aten.upsample_trilinear3d.vec", "upsample_linear", rule<linearVec<3>>},
        {"aten.upsample_bilinear2d.default", "upsample_linear", rule<bilinear>},
    };
}

}  // namespace aotscope
