#include "load/trace_log/cache_record.h"

#include "load/printed/log/section_kinds.h"
#include "load/trace_log/stack_json.h"
#include "load/trace_log/text_lines.h"
#include "load/trace_log/trace_reader.h"
#include "support/enumerators.h"
#include "support/json/bounded_json.h"
#include "support/names.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace aotscope {

namespace {

using nlohmann::json;
using Parts = std::map<std::string, std::string>;  ///< of a key, by name

constexpr std::size_t kMostCompared = 200, kMostDifferences = 20, kLongestPart = 400, kMostLines = 3;

struct Ending {
    std::string_view words;
    CacheEvent::State state;
};
constexpr Ending kEndings[] = {{"_hit", CacheEvent::State::hit},
                               {"_miss", CacheEvent::State::miss},
                               {"_bypass", CacheEvent::State::bypass},
                               {"_failure", CacheEvent::State::failure}};

std::string cacheOf(std::string_view name) {
    if (name.starts_with("aotautograd_cache")) return "AOTAutograd";
    if (name.starts_with("fx_graph_bundled")) return "FX graph, bundled";
    if (name.starts_with("fx_graph_cache")) return "FX graph";
    if (name.starts_with("dynamo_cache")) return "Dynamo";
    if (name.starts_with("precompile_cache")) return "precompile";
    return std::string(name.substr(0, name.find("_cache")));
}

std::vector<std::string> componentsIn(const std::string& payload) {
    try {
        return textsIn(parseBounded(payload), "components");
    } catch (const json::exception&) {  // damaged, or not JSON
        return {};
    }
}

/// Splits "[hash] example_inputs[0]: TensorMetadata(...)" into name and value.
Parts partsOf(const std::string& payload) {
    Parts parts;
    for (const std::string& component : componentsIn(payload)) {
        const auto close = component.starts_with('[') ? component.find("] ") : std::string::npos;
        const auto start = close == std::string::npos ? 0 : close + 2;
        const auto colon = component.find(": ", start);
        if (colon != std::string::npos) parts[component.substr(start, colon - start)] = component.substr(colon + 2);
    }
    return parts;
}

std::string cut(const std::string& text) {
    return text.size() <= kLongestPart ? text : text.substr(0, kLongestPart) + "...";
}

std::string valueIn(const Parts& parts, const std::string& name) {
    const auto it = parts.find(name);
    return it == parts.end() ? std::string() : it->second;
}

/// For texts of several lines, such as graphs, the first differing lines.
void addDifference(const std::string& name, std::string_view earlier, std::string_view now,
                   std::vector<KeyDifference>& list) {
    for (std::size_t lines = 0; lines < kMostLines && !(earlier.empty() && now.empty());) {
        const auto before = takeLine(earlier), after = takeLine(now);
        if (before == after) continue;
        list.push_back({name, cut(std::string(trimmed(before))), cut(std::string(trimmed(after)))});
        ++lines;
    }
}

bool isOtherGraph(const Parts& earlier, const Parts& now) { return valueIn(earlier, "gm") != valueIn(now, "gm"); }

std::vector<KeyDifference> differences(const Parts& earlier, const Parts& now) {
    std::vector<KeyDifference> list;
    // For a different graph, the rest differs, too.
    if (isOtherGraph(earlier, now)) {
        addDifference("gm", valueIn(earlier, "gm"), valueIn(now, "gm"), list);
        return list;
    }
    for (const auto& [name, value] : now)
        if (const auto before = valueIn(earlier, name); before != value) addDifference(name, before, value, list);
    for (const auto& [name, value] : earlier)
        if (!now.contains(name)) addDifference(name, value, {}, list);
    return list;
}

/// The number of lines that only one of two texts has.
std::size_t linesApart(std::string_view earlier, std::string_view now) {
    std::map<std::string_view, std::ptrdiff_t> counts;
    while (!earlier.empty()) ++counts[takeLine(earlier)];
    while (!now.empty()) --counts[takeLine(now)];
    std::size_t apart = 0;
    for (const auto& [line, count] : counts) apart += static_cast<std::size_t>(std::abs(count));
    return apart;
}

/// A graph with different inputs is more similar than a different graph.
std::pair<std::size_t, std::size_t> unlikeness(const Parts& earlier, const Parts& now) {
    const std::size_t lines = isOtherGraph(earlier, now) ? linesApart(valueIn(earlier, "gm"), valueIn(now, "gm")) : 0;
    std::size_t others = 0;
    for (const auto& [name, value] : now) others += valueIn(earlier, name) == value ? 0 : 1;
    return {lines, others};
}

/// Forward and backward of a function are looked up one after the other.
bool areOfOneDirection(const Parts& earlier, const Parts& now) {
    constexpr const char* direction = "fx_kwargs[is_backward]";
    return valueIn(earlier, direction) == valueIn(now, direction);
}

}  // namespace

std::string_view nameOf(CacheEvent::State state) { return spelled(state); }

CacheEvent readCacheEvent(std::string_view name, std::string_view payload) {
    CacheEvent event;
    event.cache = cacheOf(name);
    event.state = CacheEvent::State::failure;
    for (const Ending& ending : kEndings)
        if (name.ends_with(ending.words)) event.state = ending.state;
    if (!payload.starts_with('{')) {
        event.reason = payload;
        return event;
    }
    const json data = parseBounded(payload);
    for (const char* key : {"cache_bypass_reason", "_reason", "error", "cache_bypass_exception_type"})
        if (event.reason.empty()) event.reason = textIn(data, key);
    // "full_miss" adds nothing to the name of the record
    const auto detailed = textIn(data, "cache_status_detailed");
    if (event.reason.empty() && detailed != "full_miss" && detailed != "hit") event.reason = detailed;
    event.key = textIn(data, "key");
    event.savedMs = numberIn(data, "time_saved_ms");
    if (event.savedMs == 0) event.savedMs = numberIn(data, "time_saved_ns") / 1e6;
    if (const auto parts = textsIn(data, "components").size()) event.keyParts = counted(parts, "component");
    return event;
}

std::vector<KeyDifference> whyMissed(const TraceLog& log, const TracedCompile& compile, std::uint64_t line) {
    const auto miss = std::find_if(compile.records.begin(), compile.records.end(),
                                   [&](const LogRecord& record) { return record.line == line; });
    if (miss == compile.records.end()) return {};
    const TraceReader reader(log);
    const auto family = cacheOf(log.nameOf(*miss));
    const auto now = partsOf(reader.payload(*miss));
    if (now.empty()) return {};
    std::vector<LogRecord> earlier;
    for (const TracedCompile& each : log.compiles) {
        const bool other = each.code.known() && compile.code.known() && each.code != compile.code;
        for (const LogRecord& record : each.records)
            if (!other && record.line < line && topicOf(log.nameOf(record)) == LogTopic::caches &&
                cacheOf(log.nameOf(record)) == family)
                earlier.push_back(record);
    }
    std::sort(earlier.begin(), earlier.end(), [](const LogRecord& a, const LogRecord& b) { return a.line > b.line; });
    if (earlier.size() > kMostCompared) earlier.resize(kMostCompared);
    std::optional<std::pair<std::size_t, std::size_t>> least;
    std::vector<KeyDifference> best;
    for (const LogRecord& record : earlier) {
        const auto before = partsOf(reader.payload(record));
        if (before.empty() || !areOfOneDirection(before, now)) continue;
        if (before == now) return {};  // looked up before, but not stored yet
        const auto unlike = unlikeness(before, now);
        if (least && *least <= unlike) continue;
        least = unlike;
        best = differences(before, now);
    }
    if (best.size() > kMostDifferences) best.resize(kMostDifferences);
    return best;
}

LoggedMinCut readMinCut(const json& data) {
    LoggedMinCut info;
    info.memoryBudget = data.contains("Memory Budget") ? numberIn(data, "Memory Budget") : 1;
    info.savedGb = numberIn(data, "Saved Values Activation Size (GB)");
    info.leastGb = numberIn(data, "Min Activation Size (GB)");
    info.mostGb = numberIn(data, "Max Activation Size (GB)");
    info.runtime = numberIn(data, "Expected Runtime");
    info.nodes = static_cast<std::size_t>(std::max(0.0, std::min(numberIn(data, "Joint Graph Size"), 1e9)));
    info.saved = textsIn(data, "Min Cut Solution Saved Values");
    const auto candidates = textsIn(data, "Recomputable Banned Nodes Order");
    const auto chosen = [&](const char* key) {
        std::vector<std::string> names;
        const auto list = data.is_object() ? data.find(key) : data.end();
        if (list == data.end() || !list->is_array()) return names;
        for (const json& index : *list)
            if (index.is_number_unsigned() && index.get<std::size_t>() < candidates.size())
                names.push_back(candidates[index.get<std::size_t>()]);
        return names;
    };
    info.keptByKnapsack = chosen("Knapsack Saved Nodes");
    info.recomputed = chosen("Knapsack Recomputed Nodes");
    return info;
}

}  // namespace aotscope
