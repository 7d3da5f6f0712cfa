#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// "'a', 'b', 'c'", for errors that list the existing names; after 40 names, "...".
std::string quotedNames(const std::vector<std::string>& names);

/// Up to three of `names` similar to `name`: they differ in a few letters, or contain `name`. Closest first.
std::vector<std::string> similarNames(std::string_view name, const std::vector<std::string>& names);

/// "1,234,567".
std::string grouped(std::size_t count);

/// "1 value", "2 values", "1,234 boxes".
std::string counted(std::size_t count, const std::string& thing);

}  // namespace aotscope
