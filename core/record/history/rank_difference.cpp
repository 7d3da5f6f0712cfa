#include "record/history/rank_difference.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view nameOf(RankDifference::Kind kind) { return spelled(kind); }

std::string_view graphName(const RankDifference& difference) {
    if (difference.postGrad) return name(PassId::postGrad);
    return difference.graph ? name(*difference.graph) : std::string_view();
}

}  // namespace aotscope
