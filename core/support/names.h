#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// "'a', 'b', 'c'", for errors that say what there is.
std::string quotedNames(const std::vector<std::string>& names);

/// Up to three of `names` that are most like `name`: few letters to change, or it is part of them.
std::vector<std::string> similarNames(std::string_view name, const std::vector<std::string>& names);

/// "1 value", "2 values".
std::string counted(std::size_t count, const std::string& thing);

}  // namespace aotscope
