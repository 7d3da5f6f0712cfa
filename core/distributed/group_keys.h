#pragma once

#include "distributed/world_shape.h"

namespace aotscope {

/// "name, first rank, stride, ranks". Groups of one name that have no rank in common are different ones.
std::string keyOf(const RankGroup& group);
/// Of messages from one rank of a group to another.
std::string messageKey(const RankGroup& group, std::size_t from, std::size_t to, std::int64_t tag);

}  // namespace aotscope
