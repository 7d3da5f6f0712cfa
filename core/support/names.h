#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// "'a', 'b', 'c'", for errors that say what there is.
std::string quotedNames(const std::vector<std::string>& names);

}  // namespace aotscope
