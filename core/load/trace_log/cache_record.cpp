#include "load/trace_log/cache_record.h"

#include "load/trace_log/stack_json.h"
#include "load/trace_log/text_lines.h"
#include "load/trace_log/trace_reader.h"
#include "support/bounded_json.h"
#include "support/names.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostCompared = 200, kMostDifferences = 20, kLongestPart = 400;

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
    } catch (const json::exception&) {  // damaged, or no JSON
        return {};
    }
}

/// "[hash] example_inputs[0]: TensorMetadata(...)" as name and value.
std::map<std::string, std::string> partsOf(const std::string& payload) {
    std::map<std::string, std::string> parts;
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

/// Of texts of several lines, such as graphs, the first lines that differ.
KeyDifference differenceOf(const std::string& name, std::string_view earlier, std::string_view now) {
    std::string_view before = takeLine(earlier), after = takeLine(now);
    while (before == after && !(earlier.empty() && now.empty())) before = takeLine(earlier), after = takeLine(now);
    return {name, cut(std::string(trimmed(before))), cut(std::string(trimmed(after)))};
}

std::vector<KeyDifference> differences(const std::map<std::string, std::string>& earlier,
                                       const std::map<std::string, std::string>& now) {
    std::vector<KeyDifference> list;
    const auto in = [](const auto& parts, const std::string& name) {
        const auto it = parts.find(name);
        return it == parts.end() ? std::string() : it->second;
    };
    for (const auto& [name, value] : now)
        if (const auto before = in(earlier, name); before != value) list.push_back(differenceOf(name, before, value));
    for (const auto& [name, value] : earlier)
        if (!now.contains(name)) list.push_back(differenceOf(name, value, {}));
    // Of another graph, the rest is different, too.
    if (const auto graph = std::ranges::find(list, "gm", &KeyDifference::part); graph != list.end()) return {*graph};
    return list;
}

/// One graph is more like itself with other inputs than like another graph.
std::size_t unlikeness(const std::vector<KeyDifference>& parts) {
    return parts.front().part == "gm" ? std::numeric_limits<std::size_t>::max() : parts.size();
}

}  // namespace

std::string_view nameOf(CacheEvent::State state) {
    switch (state) {
        case CacheEvent::State::hit: return "hit";
        case CacheEvent::State::miss: return "miss";
        case CacheEvent::State::bypass: return "bypass";
        case CacheEvent::State::failure: break;
    }
    return "failure";
}

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
    // "full_miss" says no more than the name of the record
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
    for (const TracedCompile& each : log.compiles)
        for (const LogRecord& record : each.records)
            if (record.line < line && topicOf(log.nameOf(record)) == LogTopic::caches &&
                cacheOf(log.nameOf(record)) == family)
                earlier.push_back(record);
    std::sort(earlier.begin(), earlier.end(), [](const LogRecord& a, const LogRecord& b) { return a.line > b.line; });
    if (earlier.size() > kMostCompared) earlier.resize(kMostCompared);
    std::vector<KeyDifference> best;
    for (const LogRecord& record : earlier) {
        const auto before = partsOf(reader.payload(record));
        if (before.empty()) continue;
        auto found = differences(before, now);
        if (found.empty()) return {};  // looked up before, and not stored by then
        if (best.empty() || unlikeness(found) < unlikeness(best)) best = std::move(found);
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
