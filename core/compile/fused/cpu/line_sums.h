#pragma once

// Accumulating lines whose offsets ascend, as in the gradient of interpolation: seen from the elements that are added
// to, their values are neighbours too, and so are read as vectors.

#include "compile/fused/cpu/shuffles.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aotscope::CPU_CAPABILITY {

/// Adds values[i] to to[offsets[i]], for many lines with the same offsets. Values are added to an element in order.
class LineSums {
public:
    static constexpr std::int64_t kMost = 1024;  ///< values of a line

    /// Whether the offsets are such.
    bool prepare(const std::int64_t* offsets, std::int64_t n) {
        first_ = offsets[0];
        count_ = offsets[n - 1] - first_ + 1;
        if (n < kFewest || n > kMost || count_ < 1 || count_ > n) return false;
        for (auto& isAdded : isAdded_) std::fill_n(isAdded.begin(), count_, 0);
        std::int64_t i = 0;
        rounds_ = 0;
        for (std::int64_t t = 0; t < count_; ++t) {
            const std::int64_t begin = i;
            for (; i < n && offsets[i] == first_ + t; ++i) {
                if (i - begin == kRounds) return false;
                places_[i - begin][t] = i;
                isAdded_[i - begin][t] = 1;
            }
            rounds_ = std::max(rounds_, i - begin);
            for (std::int64_t k = i - begin; k < kRounds; ++k) places_[k][t] = std::min(begin, n - 1);
        }
        for (auto& places : places_) std::fill_n(places.begin() + count_, kShuffled, n - 1);
        for (std::int64_t k = 0; k < rounds_; ++k)
            for (std::int64_t t = 0; t < count_; t += kBlock)
                isNeeded_[k][t / kBlock] =
                    std::any_of(isAdded_[k].begin() + t, isAdded_[k].begin() + std::min(t + kBlock, count_),
                                [](std::int32_t is) { return is != 0; });
        return i == n;
    }

    void add(float* to, const float* values) const {
        to += first_;
        alignas(64) float read[kBlock];
        for (std::int64_t t = 0; t < count_; t += kBlock)
            for (std::int64_t k = 0; k < rounds_; ++k) {
                if (!isNeeded_[k][t / kBlock]) continue;
                const std::int64_t count = std::min(kBlock, count_ - t);
                for (std::int64_t j = 0; j < count; j += kShuffled)
                    if (const std::int64_t* places = places_[k].data() + t + j; !shuffle(read + j, values, places))
                        for (std::int64_t l = 0; l < kShuffled; ++l) read[j + l] = values[places[l]];
                const std::int32_t* isAdded = isAdded_[k].data() + t;
                float* sums = to + t;
#pragma omp simd
                for (std::int64_t j = 0; j < count; ++j) sums[j] = isAdded[j] != 0 ? sums[j] + read[j] : sums[j];
            }
    }

private:
    static constexpr std::int64_t kFewest = 48, kRounds = 4, kBlock = 64, kRoom = kMost + 2 * kBlock;

    std::int64_t first_ = 0, count_ = 0;  ///< the elements that are added to
    std::int64_t rounds_ = 0;             ///< in each, one value at most is added to each element:
    std::array<std::array<std::int64_t, kRoom>, kRounds> places_;     ///< this one,
    std::array<std::array<std::int32_t, kRoom>, kRounds> isAdded_;    ///< if it is
    std::array<std::array<bool, kRoom / kBlock>, kRounds> isNeeded_;  ///< whether one of a block is
};

}  // namespace aotscope::CPU_CAPABILITY
