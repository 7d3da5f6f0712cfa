#pragma once

#include "ops/decompositions/decomposition_support.h"

/// Shared by the rules for upsampling.
namespace aotscope::rules::resampling {

/// A spatial dimension: its size in input and result, and the scale factor if the call has one.
struct Axis {
    std::int64_t in, out;
    std::optional<double> scale;
};
using Axes = std::vector<Axis>;
using Factors = std::vector<double>;

/// Nothing if the arguments do not match; kernels report the error.
std::optional<Axes> axesOf(const Tensor& input, const Sizes& sizes, const std::vector<std::optional<double>>& scales);
/// The same for calls that have either output sizes or scale factors.
std::optional<Axes> axesOf(const Tensor& input, std::size_t dims, const std::optional<Sizes>& sizes,
                           const std::optional<Factors>& factors);

/// The positions of elements `steps` of the result in the input, for interpolation.
Tensor placesOf(const Axis& axis, bool alignCorners, const Tensor& steps);
/// Whether the last position is within the input: a factor that does not match the sizes leads beyond it.
bool staysInside(const Axis& axis, bool alignCorners);

/// The elements of `image` at these positions of its spatial dimensions.
Tensor elements(const Tensor& image, const std::vector<Tensor>& places);
/// `result` with the memory format of `image`, or contiguous.
Tensor laidOut(const Tensor& result, const Tensor& image, bool contiguous = false);

}  // namespace aotscope::rules::resampling
