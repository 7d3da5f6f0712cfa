#pragma once

// Accumulating lines whose offsets mostly ascend, as in the gradient of interpolation: seen from the elements that are
// added to, their values are neighbours too, and so are read as vectors.

#include "compile/fused/cpu/shuffles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace aotscope::CPU_CAPABILITY {

/// Adds values[i] to to[offsets[i]], for many lines with the same offsets. Values are added to an element in order. In
/// memory that begins with zeros, nothing is prepared.
template <class T>
class LineSums {
public:
    static constexpr std::int64_t kMost = 1024;  ///< values of a line

    /// Whether the offsets are such that few vectors hold all that they add to. Mostly they are those of the last call
    /// and as far apart: of another corner of the same cells.
    bool prepare(const std::int64_t* offsets, std::int64_t n) {
        if (n < kFewest || n > kMost) return false;
        if (lanes_ == kLanes && count_ == n && isMoved(offsets)) {
            moved_ = offsets[0] - offsets_[0];
            return isWorthIt_;
        }
        lanes_ = kLanes;
        count_ = n;
        moved_ = 0;
        std::copy_n(offsets, n, offsets_.begin());
        blocks_ = rounds_ = 0;
        isWorthIt_ = true;
        for (std::int64_t i = 0; i < n && isWorthIt_;) {
            i = addBlock(offsets, i, n);
            isWorthIt_ = rounds_ * kWorth <= i + kSlack;
        }
        return isWorthIt_;
    }

    void add(T* to, const T* values) const {
        alignas(64) T read[kLanes];
        const Round* round = roundOf_.data();
        to += moved_;
        for (std::int64_t b = 0; b < blocks_; ++b) {
            const Block& block = blockOf_[b];
            Lanes<T> sums(to + block.target, block.added);
            for (const Round* end = round + block.rounds; round != end; ++round) {
                if (!shuffle(read, values, round->places.data()))
                    for (std::int64_t l = 0; l < kLanes; ++l) read[l] = values[round->places[l]];
                sums.add(read, round->added);
            }
            sums.store(to + block.target, block.added);
        }
    }

private:
    /// Where there are fewer than `kWorth` values for each round, but for a few, one by one is faster.
    static constexpr std::int64_t kLanes = kShuffled<T>, kFewest = 16, kRounds = 4, kSlack = 64;
    static constexpr std::int64_t kWorth = std::max<std::int64_t>(kLanes / 4, 1);
    static constexpr std::size_t kMostRounds = (kMost + kSlack) / kWorth + kRounds;

    /// Values that are added at once, each to another element.
    struct Round {
        std::array<std::int64_t, kLanes> places;  ///< by element: ascending; of others, any
        std::uint32_t added;                      ///< the elements, as bits
    };
    /// Neighbouring elements that are added to.
    struct Block {
        std::int64_t target, rounds;
        std::uint32_t added;
    };

    /// Starts with value `i`. Returns the first one that belongs to the next block.
    std::int64_t addBlock(const std::int64_t* offsets, std::int64_t i, std::int64_t n) {
        Block block{offsets[i], 0, 0};
        Round* rounds = roundOf_.data() + rounds_;
        std::int64_t last = -1, repetition = 0;
        for (; i < n; ++i) {
            const std::int64_t lane = offsets[i] - block.target;
            if (lane < 0 || lane < last || lane >= kLanes) break;
            repetition = lane == last ? repetition + 1 : 0;
            if (repetition == kRounds) break;
            if (repetition == block.rounds) rounds[block.rounds++] = Round{};
            rounds[repetition].places[lane] = i;
            rounds[repetition].added |= std::uint32_t{1} << lane;
            block.added |= std::uint32_t{1} << lane;
            last = lane;
        }
        for (Round* round = rounds; round != rounds + block.rounds; ++round) {
            std::int64_t place = round->places[std::countr_zero(round->added)];
            for (std::int64_t l = 0; l < kLanes; ++l)
                place = round->places[l] = (round->added >> l & 1) != 0 ? round->places[l] : place;
        }
        rounds_ += block.rounds;
        blockOf_[blocks_++] = block;
        return i;
    }

    bool isMoved(const std::int64_t* offsets) const {
        const std::int64_t by = offsets[0] - offsets_[0];
        std::int64_t different = 0;
#pragma omp simd reduction(| : different)
        for (std::int64_t i = 0; i < count_; ++i) different |= (offsets[i] - offsets_[i]) ^ by;
        return different == 0;
    }

    std::int64_t lanes_, count_;  ///< of what is prepared
    std::int64_t moved_;          ///< offsets minus those that are prepared
    std::int64_t blocks_, rounds_;
    bool isWorthIt_;
    std::array<std::int64_t, kMost> offsets_;
    std::array<Block, kMostRounds> blockOf_;
    std::array<Round, kMostRounds> roundOf_;  ///< of one block after the other
};

}  // namespace aotscope::CPU_CAPABILITY
