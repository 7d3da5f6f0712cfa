#pragma once

#include <string>

namespace aotscope {

/// User-written Python code in the form that TorchScript's parser accepts: without imports, the statements of "def
/// f(x): y = x + 1; return y" on separate lines, and "lambda x: x + 1" as the function f. Other lines keep their
/// numbers.
std::string asDefinitions(const std::string& text);

}  // namespace aotscope
