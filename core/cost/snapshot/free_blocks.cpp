#include "cost/snapshot/memory_replay.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

/// Blocks begin and end at multiples of it.
constexpr std::uint64_t kBlockUnit = 512;

/// The memory that the allocator holds for a stream, as ranges of addresses.
class HeldRanges {
public:
    void add(std::uint64_t begin, std::int64_t size, bool joins) {
        const std::uint64_t end = begin + static_cast<std::uint64_t>(size);
        remove(begin, size);
        const auto next = ranges_.lower_bound(begin);
        if (joins && next != ranges_.begin() && std::prev(next)->second == begin) std::prev(next)->second = end;
        else ranges_.emplace(begin, end);
        const auto after = ranges_.find(end);
        if (!joins || after == ranges_.end()) return;
        std::prev(after)->second = after->second;
        ranges_.erase(after);
    }
    void remove(std::uint64_t begin, std::int64_t size) {
        const std::uint64_t end = begin + static_cast<std::uint64_t>(size);
        auto at = ranges_.lower_bound(begin);
        if (at != ranges_.begin() && std::prev(at)->second > begin) --at;
        while (at != ranges_.end() && at->first < end) {
            const auto [first, last] = *at;
            at = ranges_.erase(at);
            if (first < begin) ranges_.emplace(first, begin);
            if (last > end) ranges_.emplace(end, last);
        }
    }
    const std::map<std::uint64_t, std::uint64_t>& all() const { return ranges_; }

private:
    std::map<std::uint64_t, std::uint64_t> ranges_;  ///< beginning and end
};

/// Goes back from the segments at the end.
HeldRanges rangesAt(const MemorySnapshot& snapshot, std::size_t device, MemoryPosition position, std::uint16_t stream) {
    HeldRanges ranges;
    for (const SnapshotSegment& segment : snapshot.segments)
        if (segment.device == static_cast<std::int64_t>(device) && segment.stream == stream)
            ranges.add(segment.address, segment.size, segment.expandable);
    const auto events = snapshot.trace(device);
    for (std::size_t i = events.size(); i-- > position;) {
        const MemoryEvent& event = events[i];
        if (event.stream != stream) continue;
        switch (event.action) {
            case MemoryAction::segmentAlloc:
            case MemoryAction::segmentMap: ranges.remove(event.address, event.size); break;
            case MemoryAction::segmentFree: ranges.add(event.address, event.size, false); break;
            case MemoryAction::segmentUnmap: ranges.add(event.address, event.size, true); break;
            default: break;
        }
    }
    return ranges;
}

}  // namespace

std::int64_t largestFreeBlock(const MemorySnapshot& snapshot, std::size_t device, const MemoryReplay& replay,
                              MemoryPosition position, std::uint16_t stream) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
    for (const Allocation& each : replay.allocations)
        if (each.isHeldAt(position))
            blocks.emplace_back(each.address, each.address + (static_cast<std::uint64_t>(each.size) + kBlockUnit - 1) /
                                                                 kBlockUnit * kBlockUnit);
    std::ranges::sort(blocks);
    const HeldRanges ranges = rangesAt(snapshot, device, position, stream);
    std::uint64_t largest = 0;
    auto block = blocks.begin();
    for (const auto& [begin, end] : ranges.all()) {
        std::uint64_t at = begin;
        while (block != blocks.end() && block->first < begin) ++block;
        for (; block != blocks.end() && block->first < end; ++block) {
            if (block->first > at) largest = std::max(largest, block->first - at);
            at = std::max(at, block->second);
        }
        if (end > at) largest = std::max(largest, end - at);
    }
    return static_cast<std::int64_t>(largest);
}

}  // namespace aotscope
