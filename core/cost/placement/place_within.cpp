#include "cost/placement/first_fit.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace aotscope {

namespace {

constexpr std::int64_t kUnplaced = -1;

/// A depth-first search that places blocks from the bottom up, each as low as those below it allow. After MiniMalloc
/// (Moffitt, ASPLOS 2023), with its rules about what need not be tried. A section is the time between two points at
/// which blocks begin or end.
class Search {
public:
    Search(std::span<const ArenaBlock> blocks, std::int64_t capacity) : blocks_(blocks), capacity_(capacity) {
        cutIntoSections();
        findOverlaps();
    }

    enum class Outcome : std::uint8_t { found, none, gaveUp };

    /// `better(a, b)`: which of two blocks with the same lowest offset is tried first.
    template <typename Better>
    Outcome run(Better&& better, std::int64_t effort) {
        left_ = effort;
        std::vector<int> order(blocks_.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, better);
        rank_.assign(blocks_.size(), 0);
        for (std::size_t i = 0; i < order.size(); ++i) rank_[index(order[i])] = static_cast<int>(i);
        offsets_.assign(blocks_.size(), kUnplaced);
        lowest_.assign(blocks_.size(), 0);
        floor_.assign(sections_.size(), 0);
        total_.assign(sections_.size(), 0);
        bridges_.assign(sections_.size(), 0);
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            for (int s = spans_[b].first; s < spans_[b].second; ++s) {
                total_[index(s)] += blocks_[b].bytes;
                bridges_[index(s)] += s + 1 < spans_[b].second;
            }
        return components({0, static_cast<int>(sections_.size())}, order);
    }

    const std::vector<std::int64_t>& offsets() const { return offsets_; }
    std::int64_t left() const { return left_; }
    /// The most that is needed at once in the lifetime of a block.
    std::int64_t crowd(int block) const {
        std::int64_t most = 0;
        for (int s = spans_[index(block)].first; s < spans_[index(block)].second; ++s)
            most = std::max(most, sectionBytes_[index(s)]);
        return most;
    }
    const ArenaBlock& block(int i) const { return blocks_[index(i)]; }

private:
    using Range = std::pair<int, int>;  ///< of sections, the second excluded
    struct Candidate {
        std::int64_t offset;
        int rank, block;
        auto operator<=>(const Candidate&) const = default;
    };
    struct Change {
        int at;
        std::int64_t before;
    };

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    void cutIntoSections() {
        std::vector<std::size_t> cuts;
        for (const ArenaBlock& block : blocks_) cuts.push_back(block.first), cuts.push_back(block.last + 1);
        std::ranges::sort(cuts);
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        sections_.resize(cuts.empty() ? 0 : cuts.size() - 1);
        sectionBytes_.resize(sections_.size());
        const auto sectionAt = [&](std::size_t point) {
            return static_cast<int>(std::ranges::lower_bound(cuts, point) - cuts.begin());
        };
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            spans_.emplace_back(sectionAt(blocks_[b].first), sectionAt(blocks_[b].last + 1));
            for (int s = spans_[b].first; s < spans_[b].second; ++s) {
                sections_[index(s)].push_back(static_cast<int>(b));
                sectionBytes_[index(s)] += blocks_[b].bytes;
            }
        }
    }

    void findOverlaps() {
        overlaps_.resize(blocks_.size());
        for (std::size_t a = 0; a < blocks_.size(); ++a)
            for (std::size_t b = 0; b < blocks_.size(); ++b)
                if (a != b && spans_[a].first < spans_[b].second && spans_[b].first < spans_[a].second)
                    overlaps_[a].push_back(static_cast<int>(b));
    }

    /// Places `blocks`, in order of rank, in each part of the range that no block connects with another.
    Outcome components(Range range, const std::vector<int>& blocks) {
        int begin = range.first;
        for (int s = range.first; s < range.second; ++s) {
            if (bridges_[index(s)] > 0 && s + 1 < range.second) continue;
            std::vector<int> part;
            for (const int block : blocks)
                if (offsets_[index(block)] == kUnplaced && begin <= spans_[index(block)].first &&
                    spans_[index(block)].second <= s + 1)
                    part.push_back(block);
            if (const Outcome outcome = place({begin, s + 1}, part, 0, -1); outcome != Outcome::found) {
                return outcome;
            }
            begin = s + 1;
        }
        return Outcome::found;
    }

    /// `least`, `leastRank`: of the block before, as blocks are placed from the bottom up.
    Outcome place(Range range, const std::vector<int>& blocks, std::int64_t least, int leastRank) {
        if (blocks.empty()) return Outcome::found;
        std::vector<Candidate> candidates;
        std::int64_t lowestTop = capacity_;  // of any; what begins above it leaves a gap that could be filled
        for (const int block : blocks) {
            candidates.push_back({lowest_[index(block)], rank_[index(block)], block});
            lowestTop = std::min(lowestTop, lowest_[index(block)] + blocks_[index(block)].bytes);
        }
        if ((left_ -= static_cast<std::int64_t>(4 * blocks.size())) < 0) return Outcome::gaveUp;
        std::ranges::sort(candidates);
        for (const auto& [offset, rank, block] : candidates) {
            if (offset >= lowestTop) break;
            if (std::pair(offset, rank) < std::pair(least, leastRank)) continue;
            const std::size_t lowestBefore = lowestChanges_.size(), floorsBefore = floorChanges_.size();
            const bool covered = put(block, offset);
            const Outcome outcome = fits(range, offset) ? beyond(range, blocks, block, rank) : Outcome::none;
            if (outcome == Outcome::found) return outcome;
            takeBack(block, lowestBefore, floorsBefore);
            if (outcome == Outcome::gaveUp) return outcome;
            if (!covered) break;  // nothing comes above it: its place cannot be what is wrong
        }
        return Outcome::none;
    }

    Outcome beyond(Range range, const std::vector<int>& blocks, int block, int rank) {
        bool falls = false;  // apart
        const auto [first, end] = spans_[index(block)];
        for (int s = first; s + 1 < end; ++s) falls = --bridges_[index(s)] == 0 || falls;
        std::vector<int> rest;
        for (const int other : blocks)
            if (other != block) rest.push_back(other);
        const Outcome outcome = falls ? components(range, rest) : place(range, rest, offsets_[index(block)], rank);
        if (outcome == Outcome::found) return outcome;
        // What other components have placed is taken back, too.
        for (const int other : rest)
            if (offsets_[index(other)] != kUnplaced) leave(other);
        for (int s = first; s + 1 < end; ++s) ++bridges_[index(s)];
        return outcome;
    }

    /// Forgets the place of a block whose component was solved beside one that was not.
    void leave(int block) {
        offsets_[index(block)] = kUnplaced;
        const auto [first, end] = spans_[index(block)];
        for (int s = first; s < end; ++s) {
            total_[index(s)] += blocks_[index(block)].bytes;
            bridges_[index(s)] += s + 1 < end;
        }
    }

    /// Returns whether blocks come above it.
    bool put(int block, std::int64_t offset) {
        offsets_[index(block)] = offset;
        const std::int64_t top = offset + blocks_[index(block)].bytes;
        const auto [first, end] = spans_[index(block)];
        for (int s = first; s < end; ++s) {
            raise(floor_, floorChanges_, s, top);
            total_[index(s)] -= blocks_[index(block)].bytes;
        }
        int touchedFirst = first, touchedEnd = end;
        bool covered = false;
        for (const int other : overlaps_[index(block)]) {
            if (offsets_[index(other)] != kUnplaced) continue;
            covered = true;
            if (lowest_[index(other)] >= top) continue;
            raise(lowest_, lowestChanges_, other, top);
            touchedFirst = std::min(touchedFirst, spans_[index(other)].first);
            touchedEnd = std::max(touchedEnd, spans_[index(other)].second);
        }
        for (int s = touchedFirst; s < touchedEnd; ++s) raiseToBlocks(s);
        return covered;
    }

    /// A section's floor is at least the lowest offset of what is still to come.
    void raiseToBlocks(int section) {
        if (total_[index(section)] == 0) return;
        left_ -= static_cast<std::int64_t>(sections_[index(section)].size());
        std::int64_t least = capacity_;
        for (const int block : sections_[index(section)])
            if (offsets_[index(block)] == kUnplaced) least = std::min(least, lowest_[index(block)]);
        raise(floor_, floorChanges_, section, least);
    }

    static void raise(std::vector<std::int64_t>& values, std::vector<Change>& changes, int at, std::int64_t value) {
        if (values[index(at)] >= value) return;
        changes.push_back({at, values[index(at)]});
        values[index(at)] = value;
    }
    static void restore(std::vector<std::int64_t>& values, std::vector<Change>& changes, std::size_t count) {
        for (; changes.size() > count; changes.pop_back()) values[index(changes.back().at)] = changes.back().before;
    }

    void takeBack(int block, std::size_t lowestBefore, std::size_t floorsBefore) {
        offsets_[index(block)] = kUnplaced;
        for (int s = spans_[index(block)].first; s < spans_[index(block)].second; ++s)
            total_[index(s)] += blocks_[index(block)].bytes;
        restore(lowest_, lowestChanges_, lowestBefore);
        restore(floor_, floorChanges_, floorsBefore);
    }

    /// Whether what is still to come has room, above `offset` and the floors.
    bool fits(Range range, std::int64_t offset) {
        left_ -= range.second - range.first;
        for (int s = range.first; s < range.second; ++s)
            if (std::max(floor_[index(s)], total_[index(s)] > 0 ? offset : 0) + total_[index(s)] > capacity_)
                return false;
        return true;
    }

    std::span<const ArenaBlock> blocks_;
    const std::int64_t capacity_;
    std::vector<std::vector<int>> sections_;  ///< their blocks
    std::vector<std::int64_t> sectionBytes_;
    std::vector<Range> spans_;                ///< by block: its sections
    std::vector<std::vector<int>> overlaps_;  ///< by block: those that are needed with it
    std::vector<int> rank_;
    std::vector<std::int64_t> offsets_, lowest_;  ///< by block: its place, or the lowest that is left
    std::vector<std::int64_t> floor_, total_;     ///< by section: above what is placed, and bytes of what is not
    std::vector<int> bridges_;                    ///< by section: unplaced blocks that the next one has, too
    std::vector<Change> lowestChanges_, floorChanges_;
    std::int64_t left_ = 0;
};

/// What decides between blocks: lifetime, lifetime × size, how much is needed with it.
std::array<std::int64_t, 3> keysOf(const Search& search, int block) {
    const ArenaBlock& b = search.block(block);
    return {b.lifetime(), b.lifetime() * b.bytes, search.crowd(block)};
}

}  // namespace

std::optional<Placed> placeWithin(std::span<const ArenaBlock> blocks, std::int64_t capacity, PlacementEffort& effort) {
    Search search(blocks, capacity);
    constexpr std::array<std::array<std::size_t, 3>, 3> kOrders = {{{0, 1, 2}, {2, 1, 0}, {2, 0, 1}}};
    std::vector<std::array<std::int64_t, 3>> keys;
    for (std::size_t b = 0; b < blocks.size(); ++b) keys.push_back(keysOf(search, static_cast<int>(b)));
    // One order finds at once what another looks for in vain: all of them get a little, then more.
    const auto count = static_cast<std::int64_t>(blocks.size());
    for (std::int64_t share = 16 * count * count; effort.left > 0; share *= 2)
        for (const auto& order : kOrders) {
            const auto before = [&](int a, int b) {
                const auto &x = keys[static_cast<std::size_t>(a)], &y = keys[static_cast<std::size_t>(b)];
                for (const std::size_t key : order)
                    if (x[key] != y[key]) return x[key] > y[key];
                return false;
            };
            const std::int64_t given = std::min(share, effort.left);
            const auto outcome = search.run(before, given);
            effort.left -= given - std::max<std::int64_t>(search.left(), 0);
            if (outcome == Search::Outcome::none) return std::nullopt;
            if (outcome == Search::Outcome::found) {
                Placed placed{search.offsets(), 0};
                for (std::size_t b = 0; b < blocks.size(); ++b)
                    placed.bytes = std::max(placed.bytes, placed.offsets[b] + blocks[b].bytes);
                return placed;
            }
            if (effort.left <= 0) break;
        }
    return std::nullopt;
}

}  // namespace aotscope
