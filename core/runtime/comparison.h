#pragma once

#include "runtime/results.h"
#include "trace/tensors.h"

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

/// What another formula than eager's may add to rounding errors.
struct Slack {
    double factor = 1;  ///< how many times the usual error may be
    /// The largest value around, beside which what should cancel out to nothing may leave a rounding error; 0: nothing.
    double scale = 0;
};

/// Sizes, dtype and elements. NaNs are equal to NaNs.
TensorComparison compareTensors(const std::string& what, const at::Tensor& expected, const at::Tensor& actual,
                                const Slack& slack = {});

/// The same for numbers and None, too; a tensor that exists on one side only differs.
std::optional<Difference> compareValues(const std::string& what, const c10::IValue& expected,
                                        const c10::IValue& actual);

/// Strides along dimensions that have more than one element.
std::optional<Difference> compareStrides(const std::string& what, const at::Tensor& expected, const at::Tensor& actual);

/// All of the memory that a tensor looks into, as a flat tensor of its dtype.
at::Tensor wholeMemory(const at::Tensor& view);

}  // namespace aotscope
