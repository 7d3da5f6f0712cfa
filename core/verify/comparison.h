#pragma once

#include "aten/tensors.h"
#include "record/results.h"
#include "verify/rounding_noise.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <string>

namespace aotscope {

/// What comparing two tensors showed; a difference within rounding is none.
struct TensorComparison {
    double error = 0;  ///< largest difference, relative to the largest element; infinite for other shapes
    std::optional<Difference> difference;
};

/// How far apart values may be: by a share of the tensor's largest element that depends on the dtype, and where the run
/// was measured, by what rounding may do to the very element.
struct Tolerance {
    enum class Of : std::uint8_t {
        results,       ///< what a user sees of a run: a few units in the last place
        intermediates  ///< values inside of a run, whose noise nobody has measured
    } of = Of::results;
    const NoiseEstimate* noise = nullptr;
};
inline constexpr Tolerance kInsideRun{Tolerance::Of::intermediates};

/// What a run leaves, as differences name it.
std::string outputText(std::size_t i);
std::string inputText(const std::string& name);
std::string gradientText(const std::string& name);

/// Sizes, dtype and elements. NaNs are equal to NaNs. `what` is the value's name in the noise, too.
TensorComparison compareTensors(const std::string& what, const at::Tensor& expected, const at::Tensor& actual,
                                const Tolerance& tolerance = {});

/// The same for numbers and None, too; a tensor that exists on one side only differs.
std::optional<Difference> compareValues(const std::string& what, const c10::IValue& expected, const c10::IValue& actual,
                                        const Tolerance& tolerance = {});

/// Strides along dimensions that have more than one element.
std::optional<Difference> compareStrides(const std::string& what, const at::Tensor& expected, const at::Tensor& actual);

/// All of the memory that a tensor looks into, as a flat tensor of its dtype.
at::Tensor wholeMemory(const at::Tensor& view);

}  // namespace aotscope
