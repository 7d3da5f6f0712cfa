#include "record/history/rank_difference.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view nameOf(RankDifference::Kind kind) { return spelled(kind); }

}  // namespace aotscope
