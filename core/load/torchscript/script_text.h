#pragma once

#include <string>

namespace aotscope {

/// Python that people type in one line, as TorchScript's parser takes it: imports left out, the statements of "def
/// f(x): y = x + 1; return y" in lines of their own, and "lambda x: x + 1" as the function f. Other lines keep their
/// numbers.
std::string asDefinitions(const std::string& text);

}  // namespace aotscope
