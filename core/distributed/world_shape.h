#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The ranks that a distributed program was written for, and this one's number.
struct WorldShape {
    std::uint64_t size = 0;  ///< 0: not given; groups are then as large as the program says
    std::uint64_t rank = 0;
    std::vector<std::string> groups;  ///< "NAME=SIZE" or "NAME=SIZExSTRIDE": the layout of a group

    bool operator==(const WorldShape&) const = default;
};

/// The maximum number of ranks.
inline constexpr std::uint64_t kMostRanks = 1'000'000;

/// Throws UsageError for a rank outside of the world, or a group that does not divide it.
void requireSound(const WorldShape& world);

/// Every `stride`th rank of the world from `first` on.
struct RankGroup {
    std::string name;
    std::int64_t first = 0, stride = 1, count = 1;
    std::size_t index = 0;  ///< this rank's index within the group

    std::int64_t size() const { return count; }
    /// The rank in the world of the group's member `i`.
    std::int64_t member(std::size_t i) const { return first + static_cast<std::int64_t>(i) * stride; }
};

/// Resolves names of process groups without creating them. A group without a layout in the options is the whole world,
/// or a block of consecutive ranks if the program says that it is smaller.
class RankGroups {
public:
    RankGroups() = default;
    explicit RankGroups(const WorldShape& world);

    /// The number of ranks; 1 if unknown.
    std::int64_t worldSize() const;
    std::int64_t rank() const { return static_cast<std::int64_t>(rank_); }

    /// Records the size that the program gives for the group `name`, for calls without one.
    void note(std::string_view name, std::int64_t size);
    /// The number of ranks in `name`. `size`: as given by the call. Throws Error if it contradicts the options.
    std::int64_t sizeOf(std::string_view name, std::optional<std::int64_t> size = {}) const;
    /// The group of this rank. Throws Error if the groups do not divide the world.
    RankGroup groupOf(std::string_view name, std::optional<std::int64_t> size = {}) const;

private:
    struct Layout {
        std::int64_t size = 1, stride = 1;
    };
    static Layout layoutOf(const std::string& text, std::string& name);

    std::uint64_t size_ = 0, rank_ = 0;
    std::map<std::string, Layout, std::less<>> layouts_;
    std::map<std::string, std::int64_t, std::less<>> noted_;
};

}  // namespace aotscope
