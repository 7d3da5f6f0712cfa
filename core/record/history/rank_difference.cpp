#include "record/history/rank_difference.h"

namespace aotscope {

std::string_view nameOf(RankDifference::Kind kind) {
    switch (kind) {
        case RankDifference::Kind::missing: return "missing";
        case RankDifference::Kind::graph: return "graph";
        case RankDifference::Kind::saved: return "saved";
        case RankDifference::Kind::collectives: return "collectives";
        case RankDifference::Kind::sizes: return "sizes";
        case RankDifference::Kind::values: break;
    }
    return "values";
}

}  // namespace aotscope
