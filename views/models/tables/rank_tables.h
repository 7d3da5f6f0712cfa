#pragma once

#include "models/tables/table_content.h"
#include "record/history/rank_difference.h"

namespace aotscope {

/// Maps the rows of a comparison of ranks to differences, by index in the comparison, or nothing.
struct RankComparisonTable {
    TableContent content;
    std::vector<std::optional<std::size_t>> differences;
};
/// A row for everything that is compared: equal, or the first difference. Rows stand for nodes of `open`, the run of
/// rank `own`; `compile`: its id, if the ranks are logs.
RankComparisonTable rankComparisonTable(const RankComparison& comparison, const CompileRecord& open, std::size_t own,
                                        const std::string& compile);

}  // namespace aotscope
