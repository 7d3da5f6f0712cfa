#include "ir/rewrite.h"

namespace aotscope {

std::map<std::pair<std::string, std::string>, int> countRewrites(const std::vector<Rewrite>& rewrites) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const Rewrite& rewrite : rewrites) ++counts[{rewrite.op, rewrite.rule}];
    return counts;
}

}  // namespace aotscope
