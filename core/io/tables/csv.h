#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// One line of a table according to RFC 4180.
std::string csvLine(const std::vector<std::string>& cells);

}  // namespace aotscope
