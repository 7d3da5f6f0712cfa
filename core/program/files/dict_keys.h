#pragma once

#include <cstdint>
#include <vector>

namespace aotscope {

/// Whether so many hashes of a dict's keys collide that they must have been chosen to. LibTorch's dicts double their
/// memory until no key is far from its place in the table.
bool keysCollide(std::vector<std::uint64_t> hashes);

}  // namespace aotscope
