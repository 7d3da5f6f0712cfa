#pragma once

#include "record/history/rank_difference.h"
#include "record/table.h"

namespace aotscope {

/// A row for each difference, with a column for each rank's value.
Table rankDifferencesTable(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks);

/// What the ranks have at one place: a row for all with equal values.
Table rankPlaceTable(const RankDifference& difference, const std::vector<std::string>& ranks);

}  // namespace aotscope
