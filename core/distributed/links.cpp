#include "distributed/links.h"

#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/json/json_value.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace aotscope {

namespace {

struct Preset {
    const char* name;
    std::int64_t ranksPerNode;
    double within, between;  ///< GB/s per rank, in one direction
};

/// From the data sheets: NVLink 4 and 3 in nodes of eight GPUs, with a 400 or 200 Gbit/s adapter for each GPU; PCIe 4;
/// one rank per machine on a 10 Gbit/s network.
constexpr std::array<Preset, 4> kPresets = {{
    {"h100", 8, 450, 50},
    {"a100", 8, 300, 25},
    {"pcie", 8, 32, 12.5},
    {"ethernet", 1, 10, 1.25},
}};

constexpr double kWithinUs = 5, kBetweenUs = 15;  ///< latency of a message through NCCL

constexpr double kLeast = 1e-6, kMost = 1e6;  ///< range of every number except ranks
constexpr std::uintmax_t kLargestFile = 64 << 10;

Links linksOf(std::string name, std::int64_t ranksPerNode, Link within, Link between) {
    return {std::move(name), ranksPerNode, within, between};
}

Link linkOf(double gigabytes, double latencyUs) { return {latencyUs, gigabytes * 1e9}; }

std::optional<double> numberIn(std::string_view text) {
    const auto number = asNumber<double>(text);
    return number && *number >= kLeast && *number <= kMost ? number : std::nullopt;
}

/// "450,50".
std::optional<std::pair<double, double>> pairIn(std::string_view text) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto first = numberIn(text.substr(0, comma)), second = numberIn(text.substr(comma + 1));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

bool isWholeCount(double number) { return number >= 1 && number == static_cast<double>(static_cast<int>(number)); }

std::optional<Links> described(const std::string& text) {
    const std::string_view all = text;
    const auto times = all.find('x'), at = all.find('@');
    if (times == std::string_view::npos || at < times) return std::nullopt;
    const auto ranks = numberIn(all.substr(0, times));
    const auto rates = pairIn(all.substr(times + 1, at == std::string_view::npos ? at : at - times - 1));
    const auto latencies =
        at == std::string_view::npos ? std::optional(std::pair(kWithinUs, kBetweenUs)) : pairIn(all.substr(at + 1));
    if (!ranks || !isWholeCount(*ranks) || !rates || !latencies) return std::nullopt;
    return linksOf(text, static_cast<std::int64_t>(*ranks), linkOf(rates->first, latencies->first),
                   linkOf(rates->second, latencies->second));
}

/// The shortest text that is read back as the same number.
std::string shortest(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

constexpr std::string_view kAdvice = R"(; as in {"ranks_per_node": 8, "within": {"gb_per_s": 450, "latency_us": 5}, )"
                                     R"("between": {"gb_per_s": 50, "latency_us": 15}})";

double numberIn(const JsonValue& given) {
    const double value = given.isNumber() ? given.number() : 0;
    if (!(value >= kLeast && value <= kMost)) given.fail("a number from 0.000001 to 1000000");
    return value;
}

/// GB/s and microseconds.
std::pair<double, double> pairIn(const JsonValue& given, double usualLatency) {
    given.requireKeys({"gb_per_s", "latency_us"});
    const auto latency = given.find("latency_us");
    return {numberIn(given["gb_per_s"]), latency ? numberIn(*latency) : usualLatency};
}

Links linksIn(const JsonValue& given) {
    given.requireKeys({"ranks_per_node", "within", "between"});
    const double ranks = numberIn(given["ranks_per_node"]);
    if (!isWholeCount(ranks)) given["ranks_per_node"].fail("a whole number from 1");
    const auto within = pairIn(given["within"], kWithinUs), between = pairIn(given["between"], kBetweenUs);
    const std::string text = shortest(ranks) + "x" + shortest(within.first) + "," + shortest(between.first) + "@" +
                             shortest(within.second) + "," + shortest(between.second);
    return linksOf(text, static_cast<std::int64_t>(ranks), linkOf(within.first, within.second),
                   linkOf(between.first, between.second));
}

}  // namespace

const Link& Links::of(const RankGroup& group) const {
    const std::int64_t last = group.member(static_cast<std::size_t>(group.size() - 1));
    return group.first / ranksPerNode == last / ranksPerNode ? within : between;
}

Links linksNamed(const std::string& text) {
    const auto preset = std::ranges::find_if(kPresets, [&](const Preset& p) { return p.name == text; });
    if (preset != kPresets.end())
        return linksOf(text, preset->ranksPerNode, linkOf(preset->within, kWithinUs),
                       linkOf(preset->between, kBetweenUs));
    if (auto links = described(text)) return *links;
    throw UsageError("--links " + inQuotes(text) + ": expected " + quotedNames(linkPresets()) +
                     " or RANKSxGB,GB: ranks on a node, and GB/s within and between nodes, as in 8x450,50, with "
                     "latencies in microseconds "
                     "8x450,50@5,15; or a .json file");
}

Links linksInJson(std::string_view text, const std::string& name) {
    try {
        const nlohmann::json json = parseBounded(text, {.depth = 4});
        return linksIn(JsonValue(json, "its content:", kAdvice));
    } catch (const Error& e) {
        throw UsageError("--links " + name + ": " + e.what());
    } catch (const nlohmann::json::exception&) {
        throw UsageError("--links " + name + ": is not valid JSON");
    }
}

Links linksInFile(const std::filesystem::path& file) {
    try {
        return linksInJson(readInput(file, kLargestFile), file.string());
    } catch (const UsageError&) {
        throw;
    } catch (const Error& e) {
        throw UsageError(std::string("--links: ") + e.what());
    }
}

std::vector<std::string> linkPresets() {
    std::vector<std::string> names;
    for (const Preset& preset : kPresets) names.emplace_back(preset.name);
    return names;
}

}  // namespace aotscope
