#include "record/trace_log.h"

#include "support/enumerators.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

/// "torch_dynamo_resume_in_forward_at_15": the function and line of the graph break; empty for other functions.
std::pair<std::string_view, std::string_view> resumedFrom(std::string_view function) {
    constexpr std::string_view words = "torch_dynamo_resume_in_";
    const auto at = function.rfind("_at_");
    if (!function.starts_with(words) || at == std::string_view::npos || at <= words.size()) return {};
    return {function.substr(words.size(), at - words.size()), function.substr(at + 4)};
}

}  // namespace

std::string shortPlace(const CodePlace& place) {
    if (!place.known()) return place.function;
    std::string text = place.file.substr(place.file.find_last_of("/\\") + 1) + ":" + std::to_string(place.line);
    if (!place.function.empty()) text += " in " + place.function;
    return text;
}

std::string_view nameOf(LogTopic topic) { return topic == LogTopic::failures ? "errors" : spelled(topic); }

std::string TracedCompile::frame() const {
    const auto again = id.find('#');
    return id.substr(0, id.rfind('/')) + (again == std::string::npos ? "" : id.substr(again));
}

std::uint64_t TracedCompile::attempts() const {
    std::uint64_t most = 0;
    for (const LogRecord& record : records) most = std::max<std::uint64_t>(most, record.attempt);
    return most + 1;
}

const TracedCompile* TraceLog::find(std::string_view id) const {
    const auto it = std::find_if(compiles.begin(), compiles.end(), [&](const TracedCompile& c) { return c.id == id; });
    return it == compiles.end() ? nullptr : &*it;
}

const TracedCompile* TraceLog::before(const TracedCompile& compile, std::string_view id) const {
    for (auto at = static_cast<std::size_t>(&compile - compiles.data()); at-- > 0;) {
        const TracedCompile& each = compiles[at];
        if (each.session == compile.session && std::string_view(each.id).substr(0, each.id.find('#')) == id)
            return &each;
    }
    return nullptr;
}

std::vector<TracedFrame> framesOf(const TraceLog& log) {
    std::vector<TracedFrame> frames;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
    for (std::size_t i = 0; i < log.compiles.size(); ++i) {
        const TracedCompile& compile = log.compiles[i];
        const auto number = compile.id.substr(0, compile.id.rfind('/'));
        const auto [it, added] = known.try_emplace({compile.session, number}, frames.size());
        if (added) frames.push_back({compile.frame(), compile.code, {}, {}, false});
        TracedFrame& frame = frames[it->second];
        frame.compiles.push_back(i);
        if (!frame.code.known()) frame.code = compile.code;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto [function, line] = resumedFrom(frames[i].code.function);
        if (function.empty()) continue;
        // The latest earlier function with that name in the same file; a resume function of a resume function has the
        // original function's name.
        for (std::size_t j = i; j-- > 0;) {
            const CodePlace& before = frames[j].code;
            if (frames[j].resumes || before.function != function || before.file != frames[i].code.file) continue;
            frames[i].resumes = true;
            frames[j].resumed.push_back(i);
            break;
        }
    }
    return frames;
}

}  // namespace aotscope
