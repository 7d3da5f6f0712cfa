#pragma once

#include <ATen/core/ivalue.h>

#include <string>

namespace aotscope {

/// A copy of `value` with the elements that `text` gives (see Debugger::edit); for complex values, it gives the real
/// parts. `name` is for errors. Throws Error for invalid text.
c10::IValue editedValue(const c10::IValue& value, const std::string& text, const std::string& name);

}  // namespace aotscope
