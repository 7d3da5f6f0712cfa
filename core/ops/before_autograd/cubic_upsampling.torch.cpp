#include "ops/before_autograd/resampling.h"
#include "ops/before_autograd/rules.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/stack.h>

#include <array>

namespace aotscope {

namespace {

using namespace rules;
using namespace resampling;
using Four = std::array<Tensor, 4>;

// Keys' kernel for a = -0.75: near for distances up to 1, far for those up to 2.
constexpr double kA = -0.75;

Tensor near(const Tensor& x) { return plus(times(times(minus(times(kA + 2, x), kA + 3), x), x), 1); }
Tensor far(const Tensor& x) { return minus(times(plus(times(minus(times(kA, x), 5 * kA), x), 8 * kA), x), 4 * kA); }

/// The weights of four neighbours; `share` is the distance from the second.
Four weightsOf(const Tensor& share) {
    if (!share.is_cpu()) return {far(plus(share, 1.0)), near(share), near(minus(1.0, share)), far(minus(2.0, share))};
    const Tensor inner = at::stack({share, minus(1.0, share)}),
                 outer = at::stack({plus(share, 1.0), minus(2.0, share)});
    const auto ends = far(outer).unbind(0), middle = near(inner).unbind(0);
    return {ends[0], middle[0], middle[1], ends[1]};
}

Four neighbours(const Tensor& place) { return {minus(place, 1), place, plus(place, 1), plus(place, 2)}; }

Tensor weightedSum(const Four& values, const Four& weights) {
    Tensor sum = times(values[0], weights[0]);
    for (std::size_t i = 1; i < values.size(); ++i) sum = plus(sum, times(values[i], weights[i]));
    return sum;
}

std::optional<Tensor> bicubic(const Tensor& input, const Axes& axes, bool alignCorners) {
    if (!input.is_floating_point()) return std::nullopt;  // kernels round integers differently
    const Opmath math({input});
    const Tensor image = math.up(input);
    const auto steps = [&](const Axis& axis) { return cast(arange(axis.out, image), image.scalar_type()); };
    const Tensor rows = steps(axes[0]), columns = steps(axes[1]);
    const Tensor x = placesOf(axes[1], alignCorners, columns);
    const Tensor y = placesOf(axes[0], alignCorners, rows).unsqueeze(-1);
    const Tensor left = at::floor(x), top = at::floor(y);
    const Tensor down = at::clamp(minus(y, top), 0.0, 1.0), right = at::clamp(minus(x, left), 0.0, 1.0);
    const Tensor column = cast(left, at::kLong), row = cast(top, at::kLong);
    const Four ys = neighbours(row), xs = neighbours(column);
    const Four ofColumns = weightsOf(right), ofRows = weightsOf(down);
    Four lines;
    for (std::size_t i = 0; i < ys.size(); ++i) {
        Four values;
        for (std::size_t k = 0; k < xs.size(); ++k)
            values[k] = elements(image, {at::clamp(ys[i], 0, axes[0].in - 1), at::clamp(xs[k], 0, axes[1].in - 1)});
        lines[i] = weightedSum(values, ofColumns);
    }
    return math.down(laidOut(weightedSum(lines, ofRows), image));
}

std::optional<Tensor> bicubic2d(const Tensor& input, const Sizes& sizes, bool alignCorners, std::optional<double> h,
                                std::optional<double> w) {
    const auto axes = axesOf(input, sizes, {h, w});
    return axes ? bicubic(input, *axes, alignCorners) : std::nullopt;
}
std::optional<Tensor> bicubicVec(const Tensor& input, const std::optional<Sizes>& sizes, bool alignCorners,
                                 const std::optional<Factors>& factors) {
    const auto axes = axesOf(input, 2, sizes, factors);
    return axes ? bicubic(input, *axes, alignCorners) : std::nullopt;
}

}  // namespace

std::vector<BeforeAutogradRow> cubicUpsamplingBeforeAutograd() {
    return {
        {"aten.upsample_bicubic2d.default", "upsample_bicubic", rule<bicubic2d>},
        {"aten.upsample_bicubic2d.vec", "upsample_bicubic", rule<bicubicVec>},
    };
}

}  // namespace aotscope
