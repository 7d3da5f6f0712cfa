#pragma once

#include "cost/placement/placement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aotscope {

/// The steps that are left to searches.
struct PlacementEffort {
    std::int64_t left = 0;
    /// Whether that many steps may still be taken, which are then taken.
    bool take(std::int64_t steps) { return (left -= steps) >= 0; }
};

/// Offsets by block, and the size of the arena.
struct Placed {
    std::vector<std::int64_t> offsets;
    std::int64_t bytes = 0;
};

/// Puts the blocks into the lowest gaps, in the best of several orders: by size, lifetime, both, or begin. Then puts
/// blocks earlier that stick out of the smallest arena so far, until that does not help, one has `bound` bytes, or the
/// effort is spent; the first order is tried in any case. `blocks` have aligned sizes.
Placed placeByFirstFit(std::span<const ArenaBlock> blocks, std::int64_t bound, PlacementEffort& effort);

/// Searches for an arena of at most `capacity` bytes. Nothing if there is none, or if it was not found with `effort`.
std::optional<Placed> placeWithin(std::span<const ArenaBlock> blocks, std::int64_t capacity, PlacementEffort& effort);

}  // namespace aotscope
