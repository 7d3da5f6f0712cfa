#include "io/trace/trace_log_text.h"

#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "io/tables/trace_tables.h"
#include "load/printed/log/section_kinds.h"
#include "support/enumerators.h"
#include "support/formatted.h"
#include "support/joined.h"
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
              std::size_t frame, std::size_t depth, Table& table) {
    constexpr std::size_t deepest = 20;
    for (const std::size_t i : frames[frame].compiles) {
        const TracedCompile& compile = log.compiles[i];
        addRows(table, log, compile, overviewTable(log, compile, stories[i]));
        table.rows.back().cells[1].text = std::string(2 * std::min(depth, deepest), ' ') + compile.id;
    }
    for (const std::size_t next : frames[frame].resumed) addFrame(log, stories, frames, next, depth + 1, table);
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

std::vector<std::string> graphNames(const TraceLog& log, const TracedCompile& compile) {
    std::vector<std::string> names;
    for (const LogRecord& record : compile.records) {
        const std::string word(wordFor(kindOfRecord(log.nameOf(record))));
        if (!word.empty() && std::ranges::count(names, word) == 0) names.push_back(word);
    }
    return names;
}

Table overviewTable(const TraceLog& log, const TracedCompile& compile, const CompileStory& story) {
    using Cell = Table::Cell;
    Table table{"compilations",
                {{"code.file", "", "of the function that was compiled"},
                 {"code.line", "", "its first line"},
                 {"code.function", "", "its name"},
                 {"code.code", "", "the text of that line, if the log has it"},
                 {"function", "function", "its place, with the last part of the path", TableUnit::none, true},
                 {"graph_names", "graphs", "that the log has: dynamo, joint, forward, ..."},
                 {"captured_operations", "captured", "operations that Dynamo captured"},
                 {"guard_count", "guards", "that Dynamo counts"},
                 {"attempts", "attempts", "of Dynamo, which starts again after a graph break"},
                 {"seconds", "time", "that it took, in seconds"},
                 {"happened", "what happened", "recompilations, graph breaks, caches and failures", TableUnit::lines}}};
    const CodePlace& code = compile.code;
    const bool known = code.known() || !code.function.empty();
    const auto names = graphNames(log, compile);
    const auto happened = happenings(story);
    table.add(known ? Cell(code.file) : Cell(), known ? Cell(code.line) : Cell(), known ? Cell(code.function) : Cell(),
              known ? Cell(code.code) : Cell(), Table::given(textCell(shortPlace(code), 60)),
              Cell(names, joined(names, ", ")), Table::given(story.operatorCount), Table::given(story.guardCount),
              static_cast<std::int64_t>(compile.attempts()),
              Cell(story.seconds, story.seconds > 0 ? formatDuration(story.seconds * 1000) : "-"),
              Cell(happened, joined(happened, "\n", [](const std::string& each) { return textCell(each); })));
    return table;
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
    Table table = listTable(overviewTable({}, {}, {}));
    table.columns[1].title = "compile";
    const auto frames = framesOf(log);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!frames[i].resumes) addFrame(log, stories, frames, i, 0, table);
    return overviewSummary(log, stories) + tableText(table);
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
