#include "distributed/group_keys.h"

namespace aotscope {

std::string keyOf(const RankGroup& group) {
    return group.name + "\n" + std::to_string(group.first) + "\n" + std::to_string(group.stride) + "\n" +
           std::to_string(group.count);
}

std::string messageKey(const RankGroup& group, std::size_t from, std::size_t to, std::int64_t tag) {
    return keyOf(group) + "\n" + std::to_string(from) + "\n" + std::to_string(to) + "\n" + std::to_string(tag);
}

}  // namespace aotscope
