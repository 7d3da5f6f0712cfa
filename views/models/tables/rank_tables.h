#pragma once

#include "models/tables/table_content.h"
#include "record/history/rank_difference.h"

namespace aotscope {

/// What the rows of a comparison of ranks stand for: the difference, by its place in the comparison, or none.
struct RankComparisonTable {
    TableContent content;
    std::vector<std::optional<std::size_t>> differences;
};
/// A row for everything that is compared: equal, or where the ranks differ first. Rows stand for nodes of `open`, the
/// run that is rank `own` of them; `compile`: its id, if the ranks are logs.
RankComparisonTable rankComparisonTable(const RankComparison& comparison, const CompileRecord& open, std::size_t own,
                                        const std::string& compile);

}  // namespace aotscope
