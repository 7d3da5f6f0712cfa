#include "distributed/links.h"

#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace aotscope {

namespace {

struct Preset {
    const char* name;
    std::int64_t ranksPerNode;
    double within, between;  ///< GB/s for each rank, in one direction
};

/// By the data sheets: NVLink 4 and 3 in boxes of eight, with one adapter of 400 or 200 Gbit/s for each GPU; PCIe 4;
/// one rank on each machine of a network of 10 Gbit/s.
constexpr std::array<Preset, 4> kPresets = {{
    {"h100", 8, 450, 50},
    {"a100", 8, 300, 25},
    {"pcie", 8, 32, 12.5},
    {"ethernet", 1, 10, 1.25},
}};

constexpr double kWithinUs = 5, kBetweenUs = 15;  ///< of a message through NCCL

Links linksOf(std::string name, std::int64_t ranksPerNode, double within, double between) {
    return {std::move(name), ranksPerNode, {kWithinUs, within * 1e9}, {kBetweenUs, between * 1e9}};
}

std::optional<double> numberIn(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && number >= 1e-6 && number <= 1e6 ? std::optional(number) : std::nullopt;
}

std::optional<Links> described(const std::string& text) {
    const auto times = text.find('x'), comma = text.find(',');
    if (times == std::string::npos || comma == std::string::npos || comma < times) return std::nullopt;
    const auto ranks = numberIn(std::string_view(text).substr(0, times));
    const auto within = numberIn(std::string_view(text).substr(times + 1, comma - times - 1));
    const auto between = numberIn(std::string_view(text).substr(comma + 1));
    if (!ranks || !within || !between || *ranks < 1 || *ranks != static_cast<double>(static_cast<int>(*ranks)))
        return std::nullopt;
    return linksOf(text, static_cast<std::int64_t>(*ranks), *within, *between);
}

}  // namespace

const Link& Links::of(const RankGroup& group) const {
    const std::int64_t last = group.member(static_cast<std::size_t>(group.size() - 1));
    return group.first / ranksPerNode == last / ranksPerNode ? within : between;
}

Links linksNamed(const std::string& text) {
    const auto preset = std::ranges::find_if(kPresets, [&](const Preset& p) { return p.name == text; });
    if (preset != kPresets.end()) return linksOf(text, preset->ranksPerNode, preset->within, preset->between);
    if (auto links = described(text)) return *links;
    throw UsageError("--links " + inQuotes(text) + ": expected " + quotedNames(linkPresets()) +
                     " or RANKSxGB,GB: ranks on a node, and GB/s within and between nodes, as in 8x450,50");
}

std::vector<std::string> linkPresets() {
    std::vector<std::string> names;
    for (const Preset& preset : kPresets) names.emplace_back(preset.name);
    return names;
}

}  // namespace aotscope
