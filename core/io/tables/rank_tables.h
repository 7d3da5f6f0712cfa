#pragma once

#include "record/history/rank_difference.h"
#include "record/table.h"

namespace aotscope {

/// A row for each difference, with a column for what each rank has there.
Table rankDifferencesTable(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks);

/// What the ranks have in one place: a row for all that have the same.
Table rankPlaceTable(const RankDifference& difference, const std::vector<std::string>& ranks);

}  // namespace aotscope
