#pragma once

#include <cstddef>
#include <string>

namespace aotscope {

/// LibTorch's parser and compiler of TorchScript recurse for every nested bracket, operator, attribute and block, and
/// for empty lines. They use 8 MB of stack for 1,300 to 35,000 levels, depending on the kind; code written by PyTorch
/// has a few dozen.
constexpr std::size_t kMostSourceLevels = 400, kMostEmptyLines = 1000;

/// Throws Error (a clause without the file's name) if `text`, the record `name`, is nested more deeply than allowed.
/// Returns its number of tokens: the parser builds a tree of them, at about 200 bytes each.
std::size_t requireShallowSource(const std::string& name, const std::string& text);

}  // namespace aotscope
