#pragma once

#include "record/value_facts.h"

#include <ATen/core/ivalue.h>

#include <optional>

namespace aotscope {

/// A few reductions over the data, on the device that it is on.
ValueFacts factsOf(const c10::IValue& value);

/// See Debugger::image.
std::optional<ValueImage> imageOf(const c10::IValue& value, const std::vector<std::int64_t>& leading);

/// How many elements are NaN, and how many infinite.
struct NotFinite {
    std::int64_t nans = 0, infs = 0;
};
NotFinite notFiniteIn(const c10::IValue& value);

}  // namespace aotscope
