#pragma once

#include "program/inputs/input_spec.h"

#include <string>
#include <string_view>

namespace aotscope {

/// Reads inputs as a person types them, one for each parameter:
///
///     f32[4, 5] grad, i64[3] = randint(0, 10), 2, True, None
///     x: f32[4, 5] grad, x.view([20]), x
///
/// A tensor is its type, "grad" if it requires a gradient, and how it is filled: zeros, ones, randn (default), rand or
/// randint(LOW, HIGH). An input with a name can be passed again, or a view of it: the derivations of InputSpec. Text
/// that starts with [ or { is JSON for parseInputSpec. `where` names the text in errors. Throws Error with the column,
/// the expected and the found text.
InputSpec parseShortInputs(std::string_view text, const std::string& where);

}  // namespace aotscope
