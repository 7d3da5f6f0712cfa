#include "io/trace/trace_log_text.h"

#include "io/text_report.h"
#include "io/trace/trace_cells.h"
#include "load/printed/log/section_kinds.h"
#include "support/enumerators.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

std::string_view wordFor(PrintedKind kind) {
    using enum PrintedKind;
    if (kind == source) return "dynamo";
    return kind == unknown || kind >= metadata ? "" : spelled<'-'>(kind);
}

void addFrame(const TraceLog& log, const std::vector<CompileStory>& stories, const std::vector<TracedFrame>& frames,
              std::size_t frame, std::size_t depth, std::vector<std::vector<std::string>>& rows) {
    constexpr std::size_t deepest = 20;
    const std::string indent(2 * std::min(depth, deepest), ' ');
    for (const std::size_t i : frames[frame].compiles) {
        const TracedCompile& compile = log.compiles[i];
        const CompileStory& story = stories[i];
        const auto happened = happenings(story);
        const auto attempts = compile.attempts();
        rows.push_back({indent + compile.id, textCell(shortPlace(compile.code), 60), graphNames(log, compile),
                        story.operatorCount ? std::to_string(*story.operatorCount) : "",
                        story.guardCount ? std::to_string(*story.guardCount) : "",
                        attempts > 1 ? std::to_string(attempts) : "",
                        story.seconds > 0 ? formatDuration(story.seconds * 1000) : "",
                        happened.empty() ? "" : textCell(happened[0])});
        for (std::size_t h = 1; h < happened.size(); ++h)
            rows.push_back({"", "", "", "", "", "", "", textCell(happened[h])});
    }
    for (const std::size_t next : frames[frame].resumed) addFrame(log, stories, frames, next, depth + 1, rows);
}

}  // namespace

std::vector<std::string> happenings(const CompileStory& story) {
    std::vector<std::string> list;
    for (const FailedGuard& guard : story.recompiledFor)
        list.push_back("recompiled: " + guard.check +
                       (guard.earlier.empty() ? "" : " (against " + guard.earlier + ")"));
    for (const GraphBreak& each : story.breaks)
        list.push_back("graph break" + (each.place.known() ? " at " + shortPlace(each.place) : "") + ": " +
                       each.reason);
    for (const std::string& reason : story.restarts) list.push_back("started again: " + reason);
    for (const CacheEvent& event : story.caches) list.push_back(cacheText(event));
    if (!story.failure.empty()) list.push_back("failed: " + story.failure);
    return list;
}

std::string graphNames(const TraceLog& log, const TracedCompile& compile) {
    std::vector<std::string_view> names;
    for (const LogRecord& record : compile.records) {
        const auto word = wordFor(kindOfRecord(log.nameOf(record)));
        if (!word.empty() && std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
    }
    std::string text;
    for (const auto name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

std::string overviewSummary(const TraceLog& log, const std::vector<CompileStory>& stories) {
    std::size_t breaks = 0, again = 0;
    double seconds = 0;
    for (const CompileStory& story : stories) {
        breaks += story.breaks.size();
        again += story.recompiledFor.empty() ? 0 : 1;
        seconds += story.seconds;
    }
    return log.path.filename().string() + ": " + counted(log.compiles.size(), "compilation") + " of " +
           counted(framesOf(log).size(), "function") + ", " + counted(again, "recompilation") + ", " +
           counted(breaks, "graph break") + ", " + formatDuration(seconds * 1000) + " of compile time; " +
           counted(log.recordCount, "record") + ", " + formatBytes(static_cast<std::int64_t>(log.bytes)) + "\n";
}

std::string overviewText(const TraceLog& log, const std::vector<CompileStory>& stories) {
    std::vector<std::vector<std::string>> rows = {
        {"compile", "function", "graphs", "captured", "guards", "attempts", "time", "what happened"}};
    const auto frames = framesOf(log);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!frames[i].resumes) addFrame(log, stories, frames, i, 0, rows);
    return overviewSummary(log, stories) + textTable(rows);
}

std::string problemsText(const TraceLog& log, const std::vector<CompileStory>& stories) {
    std::string text;
    const auto add = [&](const LogProblem& problem) {
        text += "warning: " + log.path.filename().string() + ", line " + std::to_string(problem.line) + ": " +
                textCell(problem.text, 300) + "\n";
    };
    for (const LogProblem& problem : log.problems) add(problem);
    if (log.moreProblems) text += "warning: " + counted(log.moreProblems, "more line") + " that cannot be read\n";
    for (const CompileStory& story : stories)
        for (const LogProblem& problem : story.problems) add(problem);
    return text;
}

}  // namespace aotscope
