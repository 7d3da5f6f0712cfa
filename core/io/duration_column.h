#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// Milliseconds for a column of a table: all in one unit, that of the shortest one, and zero in it, too. Columns that
/// go from microseconds to minutes have the next unit.
std::vector<std::string> durationColumn(const std::vector<double>& ms);

}  // namespace aotscope
