#pragma once

#include "aten/tensors.h"
#include "record/results/results.h"
#include "verify/judge/rounding_noise.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <string>

namespace aotscope {

/// The result of comparing two tensors; differences within rounding do not count.
struct TensorComparison {
    double error = 0;              ///< largest difference, relative to the largest element; infinite if shapes differ
    double maxAbs = 0;             ///< the same, absolute
    double tolerance = 0;          ///< the largest error that counts as rounding
    std::int64_t meaningless = 0;  ///< number of elements that were not compared: uninitialized memory
    std::optional<Difference> difference;
};

/// The tolerance of all comparisons of values: a fraction, depending on the dtype, of the tensor's largest element,
/// plus the measured effect of rounding on each element, if measured. check, bisection, minify and the debugger all
/// measure before they report a difference.
struct Tolerance {
    const NoiseEstimate* noise = nullptr;
    bool measurable = true;  ///< false: a value of another run, which cannot be repeated; the tolerance is then larger
    std::string name = {};   ///< of the value in the noise; empty: the name in messages
};
inline const Tolerance kUnmeasurable{nullptr, false, {}};

/// Names of a run's values in differences; for outputs, see outputText in ir/output_names.h.
std::string inputText(const std::string& name);
std::string gradientText(const std::string& name);

/// Compares sizes, dtype and elements. NaN equals NaN. `what` is the value's name, also in the noise.
TensorComparison compareTensors(const std::string& what, const at::Tensor& expected, const at::Tensor& actual,
                                const Tolerance& tolerance = {});

/// The same, including numbers and None; a tensor on only one side is a difference.
std::optional<Difference> compareValues(const std::string& what, const c10::IValue& expected, const c10::IValue& actual,
                                        const Tolerance& tolerance = {});

/// Compares strides of dimensions with more than one element.
std::optional<Difference> compareStrides(const std::string& what, const at::Tensor& expected, const at::Tensor& actual);

/// The whole storage of a tensor, as a flat tensor of its dtype.
at::Tensor wholeMemory(const at::Tensor& view);

}  // namespace aotscope
