#pragma once

#include <vector>

namespace aotscope {

/// What is known of a row before its boxes have places.
struct RowSize {
    double width = 0, height = 0;  ///< with the gaps beside and below
    int passing = 0;               ///< edges that lead from rows above to this one or further down
};

/// Folds a picture of these rows into columns of about equal height, so that it gets usual proportions: the first row
/// of each column. A column begins where few edges are cut. `gap`: between columns.
std::vector<int> foldRows(const std::vector<RowSize>& rows, double gap);

}  // namespace aotscope
