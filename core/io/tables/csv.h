#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// One line of a table as RFC 4180 has it.
std::string csvLine(const std::vector<std::string>& cells);

}  // namespace aotscope
