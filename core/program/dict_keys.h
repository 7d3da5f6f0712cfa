#pragma once

#include <cstdint>
#include <vector>

namespace aotscope {

/// Whether so many of these hashes of a dict's keys belong into the same places of a table that they were chosen so.
/// LibTorch's dicts double their memory until no key is many places away from where it belongs.
bool keysCollide(std::vector<std::uint64_t> hashes);

}  // namespace aotscope
