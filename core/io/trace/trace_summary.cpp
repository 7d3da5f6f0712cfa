#include "io/trace/trace_summary.h"

#include <algorithm>
#include <cctype>

namespace aotscope {

namespace {

/// "expected 3, actual 4" -> "expected #, actual #".
std::string withoutNumbers(const std::string& text) {
    std::string general;
    for (const char c : text) {
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) general += c;
        else if (!general.ends_with('#')) general += '#';
    }
    return general;
}

void addTo(std::vector<TraceSummary::Happening>& list, const std::string& what, const CodePlace& place,
           std::size_t compile) {
    const auto same = std::ranges::find_if(list, [&](const TraceSummary::Happening& each) {
        return each.place == place && withoutNumbers(each.what) == withoutNumbers(what);
    });
    if (same == list.end()) list.push_back({what, place, {compile}});
    else same->compiles.push_back(compile);
}

void addTo(std::vector<TraceSummary::Cache>& caches, const CacheEvent& event) {
    auto cache = std::ranges::find(caches, event.cache, &TraceSummary::Cache::name);
    if (cache == caches.end()) cache = caches.insert(cache, {event.cache});
    const bool hit = event.state == CacheEvent::State::hit, miss = event.state == CacheEvent::State::miss;
    ++(hit ? cache->hits : miss ? cache->misses : cache->others);
    cache->savedMs += event.savedMs;
}

}  // namespace

TraceSummary summaryOf(const std::vector<CompileStory>& stories) {
    TraceSummary summary;
    for (std::size_t i = 0; i < stories.size(); ++i) {
        const CompileStory& story = stories[i];
        for (const GraphBreak& each : story.breaks) addTo(summary.breaks, each.reason, each.place, i);
        for (const FailedGuard& guard : story.recompiledFor) addTo(summary.recompilations, guard.check, guard.place, i);
        for (const CacheEvent& event : story.caches) addTo(summary.caches, event);
        if (!story.failure.empty()) addTo(summary.failures, story.failure, story.failurePlace, i);
        if (story.seconds > 0) summary.slowest.push_back(i);
        summary.seconds += story.seconds;
    }
    for (auto* list : {&summary.breaks, &summary.recompilations, &summary.failures})
        std::ranges::stable_sort(*list, std::ranges::greater(),
                                 [](const TraceSummary::Happening& each) { return each.compiles.size(); });
    std::ranges::stable_sort(summary.slowest, std::ranges::greater(),
                             [&](std::size_t i) { return stories[i].seconds; });
    return summary;
}

}  // namespace aotscope
