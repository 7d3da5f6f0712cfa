#include "distributed/world_shape.h"

#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <algorithm>

namespace aotscope {

namespace {

/// A whole number from 1 to kMostRanks.
std::optional<std::int64_t> countIn(std::string_view text) {
    const auto number = asNumber<std::int64_t>(text);
    return number && *number >= 1 && *number <= static_cast<std::int64_t>(kMostRanks) ? number : std::nullopt;
}

std::string ranksText(std::int64_t count) { return counted(static_cast<std::size_t>(count), "rank"); }

}  // namespace

void requireSound(const WorldShape& world) {
    if (world.size > kMostRanks)
        throw UsageError("--world-size " + std::to_string(world.size) + ": at most " + std::to_string(kMostRanks) +
                         " ranks can be simulated");
    if (world.rank >= std::max<std::uint64_t>(world.size, 1))
        throw UsageError("--rank " + std::to_string(world.rank) + ": the world has " +
                         ranksText(static_cast<std::int64_t>(std::max<std::uint64_t>(world.size, 1))) +
                         ", numbered from 0; give a larger --world-size");
    RankGroups groups(world);
    for (const std::string& text : world.groups) groups.groupOf(text.substr(0, text.rfind('=')));
}

RankGroups::RankGroups(const WorldShape& world) : size_(world.size), rank_(world.rank) {
    for (const std::string& text : world.groups) {
        std::string name;
        const Layout layout = layoutOf(text, name);
        layouts_.insert_or_assign(name, layout);
    }
}

RankGroups::Layout RankGroups::layoutOf(const std::string& text, std::string& name) {
    const auto equals = text.rfind('=');
    const std::string_view value =
        std::string_view(text).substr(equals == std::string::npos ? text.size() : equals + 1);
    const auto times = value.find('x');
    const auto size = countIn(value.substr(0, times));
    const auto stride =
        times == std::string_view::npos ? std::optional<std::int64_t>(1) : countIn(value.substr(times + 1));
    if (equals == std::string::npos || equals == 0 || !size || !stride)
        throw UsageError("--group " + inQuotes(text) +
                         ": expected NAME=SIZE or NAME=SIZExSTRIDE, as in tp=8 or dp=4x8 (every 8th rank)");
    name = text.substr(0, equals);
    return {*size, *stride};
}

std::int64_t RankGroups::worldSize() const { return size_ == 0 ? 1 : static_cast<std::int64_t>(size_); }

void RankGroups::note(std::string_view name, std::int64_t size) {
    if (size >= 1 && size <= static_cast<std::int64_t>(kMostRanks)) noted_.insert_or_assign(std::string(name), size);
}

std::int64_t RankGroups::sizeOf(std::string_view name, std::optional<std::int64_t> size) const {
    const auto layout = layouts_.find(name);
    if (layout != layouts_.end()) {
        if (size && *size != layout->second.size)
            throw Error("the program says that group " + inQuotes(std::string(name)) + " has " + ranksText(*size) +
                        ", --group says " + ranksText(layout->second.size));
        return layout->second.size;
    }
    if (size) {
        if (*size < 1 || *size > static_cast<std::int64_t>(kMostRanks))
            throw Error("the program says that group " + inQuotes(std::string(name)) + " has " + std::to_string(*size) +
                        " ranks; expected 1 to " + std::to_string(kMostRanks));
        return *size;
    }
    const auto noted = noted_.find(name);
    return noted == noted_.end() ? worldSize() : noted->second;
}

RankGroup RankGroups::groupOf(std::string_view name, std::optional<std::int64_t> size) const {
    const std::int64_t count = sizeOf(name, size);
    const auto layout = layouts_.find(name);
    const std::int64_t stride = layout == layouts_.end() ? 1 : layout->second.stride, span = count * stride;
    if (size_ != 0 && worldSize() % span != 0)
        throw Error("group " + inQuotes(std::string(name)) + " of " + ranksText(count) +
                    (stride > 1 ? ", every " + std::to_string(stride) + " ranks," : "") +
                    " does not divide a world of " + ranksText(worldSize()) +
                    "; give another --world-size, or its layout with --group");
    return {std::string(name), rank() / span * span + rank() % stride, stride, count,
            static_cast<std::size_t>(rank() % span / stride)};
}

}  // namespace aotscope
