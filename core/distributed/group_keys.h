#pragma once

#include "distributed/world_shape.h"

namespace aotscope {

/// "name, first rank, stride, ranks". Groups with the same name but no common rank are different.
std::string keyOf(const RankGroup& group);
/// The key of messages from one rank of a group to another.
std::string messageKey(const RankGroup& group, std::size_t from, std::size_t to, std::int64_t tag);

}  // namespace aotscope
