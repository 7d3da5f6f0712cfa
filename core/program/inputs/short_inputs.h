#pragma once

#include "program/inputs/input_spec.h"

#include <string>
#include <string_view>

namespace aotscope {

/// Reads inputs in the short notation, one for each parameter:
///
///     f32[4, 5] grad, i64[3] = randint(0, 10), 2, True, None
///     x: f32[4, 5] grad, x.view([20]), x
///
/// A tensor is written as its type, "grad" if it requires grad, and its fill: zeros, ones, randn (default), rand or
/// randint(LOW, HIGH). A named input can be passed again, or a view of it: the derivations of InputSpec. Text that
/// starts with [ or { is JSON for parseInputSpec. `where` is for errors. Throws Error with the column, the expected and
/// the found text.
InputSpec parseShortInputs(std::string_view text, const std::string& where);

}  // namespace aotscope
