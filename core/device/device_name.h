#pragma once

#include <string>

namespace aotscope {

/// "cpu", "cuda:0": `name` as PyTorch writes it, with an index. Throws UsageError for anything else.
std::string deviceFromName(const std::string& name);

}  // namespace aotscope
