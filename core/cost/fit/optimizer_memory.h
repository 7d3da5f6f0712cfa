#pragma once

#include "ir/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// How an optimizer updates parameters: one after the other, or all with one call of a _foreach_ operator for each
/// operation, as PyTorch does on GPUs.
enum class UpdateOrder : std::uint8_t { loop, foreach };
std::string_view name(UpdateOrder order);

/// What the update of one parameter needs besides it and its gradient. In bytes, except for `products`.
struct UpdateMemory {
    std::int64_t state = 0;     ///< kept from step to step, on the parameter's device
    std::int64_t alone = 0;     ///< the most temporaries at once, while it is updated by itself
    std::int64_t left = 0;      ///< of these, what stays until the next parameter has been updated
    std::int64_t together = 0;  ///< its part of temporaries that all parameters have at the same time
    std::int64_t moved = 0;     ///< read and written
    double products = 0;        ///< arithmetic operations of matrix products in bfloat16
};

/// An optimizer with its defaults: the shapes of its states, and what its update computes.
struct OptimizerFormula {
    std::string_view name, help;
    UpdateMemory (*of)(const TensorType& parameter, UpdateOrder order);
    bool hasForeach = false;  ///< and uses it on GPUs
    int kernels = 1;          ///< operations of the update of one parameter
};

/// The one table of optimizers.
std::span<const OptimizerFormula> optimizerFormulas();
std::vector<std::string> optimizerNames();
/// Throws UsageError that lists the names.
const OptimizerFormula& optimizerFormulaNamed(std::string_view name);

/// What an optimizer needs for all parameters.
struct OptimizerMemory {
    std::int64_t states = 0;    ///< bytes, from the end of the first step on
    std::int64_t update = 0;    ///< bytes of temporaries at the peak of an update
    std::int64_t moved = 0;     ///< bytes read and written
    double products = 0;        ///< see UpdateMemory
    std::int64_t launches = 0;  ///< kernels
};

/// The order in which PyTorch updates parameters on the device of `parameter` unless told otherwise.
UpdateOrder usualOrder(const OptimizerFormula& rule, const TensorType& parameter);

/// `parameters`: those that get a gradient, in order.
OptimizerMemory optimizerMemory(const OptimizerFormula& rule, const std::vector<TensorType>& parameters,
                                UpdateOrder order);

}  // namespace aotscope
