#pragma once

#include "cost/live_memory.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aotscope {

/// Memory that is needed at all points from `first` to `last`, both included.
struct ArenaBlock {
    std::size_t first = 0, last = 0;
    std::int64_t bytes = 0;

    std::int64_t lifetime() const { return static_cast<std::int64_t>(last - first) + 1; }
    bool meets(const ArenaBlock& other) const { return first <= other.last && other.first <= last; }
};

/// Places of blocks in one arena: those that are needed at the same point do not overlap. All sizes are in bytes.
struct Placement {
    static constexpr std::int64_t kAlignment = 64;

    std::vector<std::int64_t> offsets;  ///< by block, multiples of kAlignment; blocks without bytes are at 0
    std::int64_t arenaBytes = 0;        ///< the smallest arena that was found
    std::int64_t boundBytes = 0;        ///< no arena is smaller: the most that is needed at once, in aligned blocks
    std::int64_t peakBytes = 0;         ///< the most that is needed at once

    bool isSmallest() const { return arenaBytes == boundBytes; }
    /// The arena over the peak; 1 if nothing is needed.
    double fragmentation() const {
        return peakBytes > 0 ? static_cast<double>(arenaBytes) / static_cast<double>(peakBytes) : 1;
    }
};

/// How long to look for a smaller arena: the steps of a search, of which a second has a few hundred million.
inline constexpr std::int64_t kPlacementEffort = 10'000'000;

/// Looks for the smallest arena (dynamic storage allocation): first fit in several orders, then with those blocks
/// earlier that stick out, then a search for an arena of boundBytes. The same blocks give the same places.
Placement placeBlocks(std::span<const ArenaBlock> blocks, std::int64_t effort = kPlacementEffort);

/// For all memory that the peak counts.
Placement placementOf(const LiveMemory& memory);

/// "in one arena 1.20 MB, 1.05 × the peak"; empty if nothing is needed.
std::string arenaText(const Placement& placement);

}  // namespace aotscope
