#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// Milliseconds for a column of a table: all in the unit of the shortest one, including zero. Columns that range from
/// microseconds to minutes use the next unit.
std::vector<std::string> durationColumn(const std::vector<double>& ms);

}  // namespace aotscope
