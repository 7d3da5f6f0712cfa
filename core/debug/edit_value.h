#pragma once

#include <ATen/core/ivalue.h>

#include <string>

namespace aotscope {

/// A copy of `value` with what `text` says (see Debugger::edit) in place of its elements; of complex ones, `text` gives
/// the real parts. `name` is for errors. Throws Error for text that does not fit.
c10::IValue editedValue(const c10::IValue& value, const std::string& text, const std::string& name);

}  // namespace aotscope
