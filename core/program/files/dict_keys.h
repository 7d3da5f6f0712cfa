#pragma once

#include <cstdint>
#include <vector>

namespace aotscope {

/// Whether so many hashes of a dict's keys collide that they must have been chosen for that. LibTorch's dicts double in
/// size until every key is close to its slot.
bool keysCollide(std::vector<std::uint64_t> hashes);

}  // namespace aotscope
