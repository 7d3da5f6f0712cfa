#pragma once

#include "record/results/value_facts.h"

#include <ATen/core/ivalue.h>

#include <optional>

namespace aotscope {

/// Computed on the device of the tensor.
ValueFacts factsOf(const c10::IValue& value);

/// See Debugger::image.
std::optional<ValueImage> imageOf(const c10::IValue& value, const std::vector<std::int64_t>& leading);

/// The numbers of NaN and of infinite elements.
struct NotFinite {
    std::int64_t nans = 0, infs = 0;
};
NotFinite notFiniteIn(const c10::IValue& value);

}  // namespace aotscope
