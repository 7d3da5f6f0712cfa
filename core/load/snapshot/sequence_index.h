#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace aotscope {

/// Finds the numbers of sequences that are kept elsewhere, by their hashes. The hash has a random start, so that no
/// file can be made whose hashes collide.
class SequenceIndex {
public:
    /// Of `words` numbers of 32 bits, and what is left.
    std::uint64_t hash(const void* data, std::size_t words, std::uint64_t tail) const {
        std::uint64_t mixed = seed_ ^ tail;
        for (std::size_t i = 0; i < words; ++i) {
            std::uint32_t word = 0;
            std::memcpy(&word, static_cast<const char*>(data) + i * sizeof word, sizeof word);
            mixed = mix(mixed ^ word);
        }
        return mix(mixed);
    }

    /// The number among those with this hash for which `equals(number)`; else `next`, which is added.
    template <typename Equals>
    std::uint32_t findOrAdd(std::uint64_t hash, std::uint32_t next, Equals&& equals) {
        if (2 * (used_ + 1) > slots_.size()) grow();
        for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[at];
            if (slot.number == kFree) {
                slot = {static_cast<std::uint32_t>(hash >> 32), next};
                hashes_.push_back(hash);
                ++used_;
                return next;
            }
            if (slot.check == static_cast<std::uint32_t>(hash >> 32) && equals(slot.number)) return slot.number;
        }
    }

private:
    static constexpr std::uint32_t kFree = 0xffffffff;
    struct Slot {
        std::uint32_t check = 0, number = kFree;
    };

    static std::uint64_t mix(std::uint64_t x) {
        x *= 0x9e3779b97f4a7c15u;
        return x ^ (x >> 29);
    }
    void grow() {
        std::vector<Slot> larger(std::max<std::size_t>(64, 2 * slots_.size()));
        for (std::size_t i = 0; i < hashes_.size(); ++i) {
            std::size_t at = hashes_[i] & (larger.size() - 1);
            while (larger[at].number != kFree) at = (at + 1) & (larger.size() - 1);
            larger[at] = {static_cast<std::uint32_t>(hashes_[i] >> 32), static_cast<std::uint32_t>(i)};
        }
        slots_ = std::move(larger);
    }

    std::uint64_t seed_ = std::uint64_t{std::random_device()()} << 32 | std::random_device()();
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> hashes_;  ///< by number
    std::size_t used_ = 0;
};

}  // namespace aotscope
