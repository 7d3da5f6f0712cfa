#pragma once

#include <string>

namespace aotscope::test {

/// Writes a TorchScript file of one class with these methods and a parameter w of 3 elements.
void saveModel(const std::string& methods, const std::string& path);

}  // namespace aotscope::test
