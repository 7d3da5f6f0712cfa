#include "load/trace_log/compile_spans.h"

#include "load/trace_log/stack_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 200, kLongestArgument = 300, kMostArguments = 30;

std::string argumentsOf(const json& event) {
    std::string text;
    const auto arguments = event.find("args");
    if (arguments == event.end() || !arguments->is_object()) return text;
    std::size_t count = 0;
    for (const auto& [key, value] : arguments->items()) {
        if (key == "compile_id" || ++count > kMostArguments) continue;
        auto line = key + ": " + textIn(*arguments, key.c_str());
        if (line.size() > kLongestArgument) line = line.substr(0, kLongestArgument) + "...";
        text += (text.empty() ? "" : "\n") + line;
    }
    return text;
}

}  // namespace

void SpanBuilder::add(const json& event) {
    const auto phase = textIn(event, "ph"), name = textIn(event, "name");
    const double time = numberIn(event, "ts");
    if (!std::isfinite(time)) return;
    const auto whole = [&](const char* key) {
        return static_cast<std::int64_t>(std::clamp(numberIn(event, key), -1e15, 1e15));
    };
    Thread& thread = threads_[{whole("pid"), whole("tid")}];
    if (phase == "i") return;
    last_ = std::max(last_, time);
    if (phase == "B" || phase == "X") {
        CompileSpan span{name, time, 0, static_cast<int>(thread.open.size()), argumentsOf(event)};
        if (phase == "X") span.length = std::max(0.0, numberIn(event, "dur"));
        else if (thread.open.size() < kDeepest) thread.open.push_back(spans_.size());
        else return;
        spans_.push_back(std::move(span));
        return;
    }
    if (phase != "E") return;
    // The innermost one with that name: unfinished spans within it end, too.
    const auto match =
        std::find_if(thread.open.rbegin(), thread.open.rend(), [&](std::size_t i) { return spans_[i].name == name; });
    if (match == thread.open.rend()) return;
    const auto keep = static_cast<std::size_t>(thread.open.rend() - match) - 1;
    while (thread.open.size() > keep) {
        CompileSpan& span = spans_[thread.open.back()];
        span.length = std::max(0.0, time - span.start);
        thread.open.pop_back();
        if (thread.open.size() == keep) span.detail = argumentsOf(event);
    }
}

std::vector<CompileSpan> SpanBuilder::finish() {
    for (auto& [key, thread] : threads_)
        for (const std::size_t i : thread.open) spans_[i].length = std::max(0.0, last_ - spans_[i].start);
    std::stable_sort(spans_.begin(), spans_.end(), [](const CompileSpan& a, const CompileSpan& b) {
        return a.start != b.start ? a.start < b.start : a.depth < b.depth;
    });
    return std::move(spans_);
}

}  // namespace aotscope
