#include "cost/placement/placement.h"

#include "cost/placement/first_fit.h"
#include "support/formatted.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// Arenas that are larger by less than one part in so many are as good.
constexpr std::int64_t kFinest = 1000;

constexpr std::int64_t aligned(std::int64_t bytes) {
    return (bytes + Placement::kAlignment - 1) / Placement::kAlignment * Placement::kAlignment;
}

/// The most that is needed at once.
std::int64_t mostAtOnce(std::span<const ArenaBlock> blocks) {
    std::vector<std::pair<std::size_t, std::int64_t>> changes;  // by point; what ends comes first
    for (const ArenaBlock& block : blocks) {
        changes.emplace_back(block.first, block.bytes);
        changes.emplace_back(block.last + 1, -block.bytes);
    }
    std::ranges::sort(changes);
    std::int64_t bytes = 0, most = 0;
    for (const auto& [point, change] : changes) most = std::max(most, bytes += change);
    return most;
}

/// Halves the range of sizes in which the smallest arena is looked for, beginning with the bound itself.
Placed smallestFound(std::span<const ArenaBlock> blocks, std::int64_t bound, std::int64_t steps) {
    PlacementEffort all{steps};
    Placed best = placeByFirstFit(blocks, bound, all);
    // The search looks at every pair of blocks once.
    if (static_cast<std::int64_t>(blocks.size() * blocks.size()) > steps) return best;
    const std::int64_t worthwhile = bound / kFinest;
    std::int64_t target = bound, least = bound, share = all.left / 2;
    while (best.bytes - least > worthwhile && all.left > 0) {
        PlacementEffort effort{std::min(share, all.left)};
        all.left -= effort.left;
        if (auto placed = placeWithin(blocks, target, effort)) best = std::move(*placed);
        else least = target + Placement::kAlignment;
        all.left += std::max<std::int64_t>(effort.left, 0);
        target = aligned((least + best.bytes) / 2 - Placement::kAlignment);
        share = steps / 8;
    }
    return best;
}

}  // namespace

Placement placeBlocks(std::span<const ArenaBlock> blocks, std::int64_t effort) {
    Placement placement;
    placement.offsets.resize(blocks.size());
    placement.peakBytes = mostAtOnce(blocks);
    std::vector<ArenaBlock> needed;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].bytes <= 0) continue;
        needed.push_back({blocks[i].first, blocks[i].last, aligned(blocks[i].bytes)});
        places.push_back(i);
    }
    if (needed.empty()) return placement;
    placement.boundBytes = mostAtOnce(needed);
    const Placed found = smallestFound(needed, placement.boundBytes, effort);
    placement.arenaBytes = found.bytes;
    for (std::size_t i = 0; i < needed.size(); ++i) placement.offsets[places[i]] = found.offsets[i];
    return placement;
}

Placement placementOf(const LiveMemory& memory) {
    std::vector<ArenaBlock> blocks;
    for (const LiveValue& value : memory.values)
        blocks.push_back({value.first, value.last, isGiven(value.kind) ? 0 : value.bytes});
    return placeBlocks(blocks);
}

std::string arenaText(const Placement& placement) {
    if (placement.arenaBytes == 0) return {};
    return "in one arena " + formatBytes(placement.arenaBytes) +
           formatted(", %.2f \u00d7 the peak", placement.fragmentation());
}

}  // namespace aotscope
