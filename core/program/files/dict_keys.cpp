#include "program/files/dict_keys.h"

#include <algorithm>
#include <bit>

namespace aotscope {

bool keysCollide(std::vector<std::uint64_t> hashes) {
    // The table at the size that LibTorch uses for keys that do not collide, with its hash multiplier.
    const int bits = static_cast<int>(std::bit_width(hashes.size())) + 2;
    for (std::uint64_t& hash : hashes) hash = hash * 0x9e3779b97f4a7c15u >> (64 - bits);
    std::sort(hashes.begin(), hashes.end());
    std::uint64_t next = 0;
    for (std::uint64_t place : hashes) {
        next = std::max(next, place);
        if (next++ - place > static_cast<std::uint64_t>(bits)) return true;
    }
    return false;
}

}  // namespace aotscope
