#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// Rows of cells as aligned columns; a column whose cells all look like numbers is right-aligned.
/// The first row is the heading.
std::string textTable(const std::vector<std::vector<std::string>>& rows);

/// The first line of a text, truncated to `longest`, for a cell.
std::string textCell(const std::string& text, std::size_t longest = 110);

}  // namespace aotscope
