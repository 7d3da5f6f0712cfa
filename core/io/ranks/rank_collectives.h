#pragma once

#include "io/ranks/rank_comparison.h"

namespace aotscope {

/// The first collective of each group that is not the same on all of its ranks; where there is none, the first at which
/// ranks use the same groups in another order; and of the messages between two ranks the first that the other does not
/// expect. These are what ranks hang for.
std::vector<RankDifference> unlikeCollectives(const std::vector<ComparedRank>& ranks);

}  // namespace aotscope
