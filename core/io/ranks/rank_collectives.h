#pragma once

#include "io/ranks/rank_comparison.h"

namespace aotscope {

/// The first collective of each group that differs between its ranks or, if none does, the first at which ranks use the
/// same groups in a different order; and the first message between two ranks that the receiver does not expect. These
/// make ranks hang.
std::vector<RankDifference> unlikeCollectives(const std::vector<ComparedRank>& ranks);

}  // namespace aotscope
