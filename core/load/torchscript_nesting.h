#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aotscope {

/// LibTorch's parser and compiler of TorchScript recurse: for every bracket, operator and attribute inside another,
/// for every block inside another, for empty lines. They take 8 MB of stack for 1,300 to 35,000 levels, depending on
/// the kind; text that PyTorch writes has a few dozen.
constexpr std::size_t kMostSourceLevels = 400, kMostEmptyLines = 1000;

/// Throws Error (a clause without the file's name) unless `text`, the record `name`, is nested no deeper than that.
/// Returns of how many tokens it consists: the parser makes a tree of them, some 200 bytes for each.
std::size_t requireShallowSource(const std::string& name, const std::string& text);

}  // namespace aotscope
