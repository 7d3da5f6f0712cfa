#include "cli/engine/trace_questions.h"

#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/trace/trace_log_text.h"
#include "load/model_source.h"
#include "load/trace_log/text_stories.h"
#include "load/trace_log/trace_reader.h"
#include "load/trace_log/trace_story.h"
#include "session/open/read_printed.h"
#include "session/session.h"
#include "support/error.h"

#include <algorithm>
#include <optional>

namespace aotscope {

namespace {

/// The compilation that `later` names.
const CompileStory* storyBefore(const ReadTrace& trace, const TracedCompile& later, const std::string& id) {
    const TracedCompile* compile = trace.log->before(later, id);
    return compile ? &trace.stories[static_cast<std::size_t>(compile - trace.log->compiles.data())] : nullptr;
}

std::vector<std::string> madeForEach(const ReadTrace& trace, const TracedCompile& compile, const CompileStory& story) {
    std::vector<std::string> list;
    for (const FailedGuard& guard : story.recompiledFor) {
        const CompileStory* earlier = storyBefore(trace, compile, guard.earlier);
        list.push_back(earlier ? madeFor(guard, *earlier) : std::string());
    }
    return list;
}

std::string whyCached(const ReadTrace& trace, const TracedCompile& compile, const CompileStory& story) {
    std::vector<std::vector<KeyDifference>> missed;
    for (const CacheEvent& event : story.caches)
        missed.push_back(event.state == CacheEvent::State::miss && !event.keyParts.empty()
                             ? whyMissed(*trace.log, compile, event.line)
                             : std::vector<KeyDifference>());
    return whyCachedText(compile, story, missed);
}

/// Forward and backward of Python, and our own partition of the same joint graph for the reasons.
struct Repartitioned {
    std::shared_ptr<const Session> printed, ours;
};

/// Nothing for a compilation without graphs.
std::optional<Repartitioned> repartitioned(const ReadTrace& trace, const TracedCompile& compile,
                                           const CompileStory& story, Options options) {
    options.model = trace.model;
    options.compileId = compile.id;
    try {
        const auto printed = Session::open(options, {});
        if (!printed->record()->partition) return std::nullopt;
        options.repartition = true;
        if (story.minCut && story.minCut->mostGb > 0) options.partition.memoryBudget = story.minCut->memoryBudget;
        return Repartitioned{printed, Session::open(options, {}, printed)};
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

std::string whySaved(const ReadTrace& trace, const TracedCompile& compile, const CompileStory& story,
                     const Options& options) {
    std::string text = compile.id + (compile.code.known() ? "  " + shortPlace(compile.code) : "") + ": ";
    try {
        const auto opened = repartitioned(trace, compile, story, options);
        return opened ? text + whySavedText(*opened->printed->record(), opened->ours->record().get(), story) : "";
    } catch (const Error& e) {
        return text + e.what() + "\n";
    }
}

std::string reasonText(const ReadTrace& trace, const TraceQuestion& question, std::size_t i) {
    const TracedCompile& compile = trace.log->compiles[i];
    const CompileStory& story = trace.stories[i];
    if (question.why == "recompile") return whyRecompiledText(compile, story, madeForEach(trace, compile, story));
    if (question.why == "break") return whyBrokenText(compile, story);
    if (question.why == "cache") return whyCached(trace, compile, story);
    return whySaved(trace, compile, story, question.options);
}

const TraceList& askedList(const TraceQuestion& question) {
    return *std::ranges::find(traceLists(), question.list, &TraceList::name);
}

/// What the question lists of a compilation.
Table tableOf(const ReadTrace& trace, const TraceQuestion& question, std::size_t i) {
    const TracedCompile& compile = trace.log->compiles[i];
    const CompileStory& story = trace.stories[i];
    if (!question.list.empty()) return askedList(question).table(*trace.log, compile, story);
    if (question.why.empty()) return overviewTable(*trace.log, compile, story);
    const auto opened = repartitioned(trace, compile, story, question.options);
    return opened ? whySavedTable(*opened->printed->record(), opened->ours->record().get(), story)
                  : whySavedTable({}, nullptr, {});
}

/// Nothing for an empty list.
std::string listText(const ReadTrace& trace, const TraceQuestion& question, std::size_t i) {
    const Table table = tableOf(trace, question, i);
    return table.rows.empty() ? table.summary : tableText(table);
}

std::string recordText(const TraceLog& log, const TracedCompile& compile, const std::string& name) {
    const TraceReader reader(log);
    std::string text;
    for (const LogRecord& record : compile.records)
        if (log.nameOf(record) == name) text += (record.payload ? reader.payload(record) : reader.head(record)) + "\n";
    return text;
}

std::string nothingText(const TraceQuestion& question) {
    if (question.why == "recompile") return "nothing was recompiled\n";
    if (question.why == "break") return "no graph break was logged\n";
    if (question.why == "cache") return "no cache was used\n";
    if (question.why == "saved") return "no backward graph was logged, so nothing is saved\n";
    if (!question.list.empty()) return "the log has no " + question.list + "\n";
    return "the log has no record '" + question.record + "' there; list them with --list records\n";
}

std::shared_ptr<const TraceLog> narrowed(const TraceLog& log, const std::string& compileId) {
    auto one = std::make_shared<TraceLog>(log);
    std::erase_if(one->compiles, [&](const TracedCompile& compile) { return compile.id != compileId; });
    return one;
}

/// The records that a question needs of each compilation.
std::set<LogTopic> topicsFor(const TraceQuestion& question) {
    if (question.why == "recompile")
        return {LogTopic::recompilations, LogTopic::guards, LogTopic::shapes, LogTopic::metrics};
    if (question.why == "break") return {LogTopic::graphBreaks, LogTopic::metrics};
    if (question.why == "cache") return {LogTopic::caches};
    if (question.why == "saved") return {LogTopic::partitioner};
    if (!question.list.empty()) return askedList(question).topics;
    if (!question.record.empty()) return {LogTopic::settings};
    return overviewTopics();
}

void requireCompile(const TraceLog& log, const TraceQuestion& question) {
    if (!question.compileId.empty() && !log.find(question.compileId))
        throw UsageError("--compile-id " + question.compileId + ": '" + log.path.filename().string() +
                         "' has no such compilation; list them with 'aotscope compiles'");
}

}  // namespace

const std::vector<std::string>& whyQuestions() {
    static const std::vector<std::string> questions = {"recompile", "break", "cache", "saved"};
    return questions;
}

const std::vector<std::string>& textQuestions() {
    static const std::vector<std::string> answered = {"recompile", "break", "saved", "guards", "shapes"};
    return answered;
}

ReadTrace readText(const std::string& path, const TraceQuestion& question) {
    TextStories told = namesSeveralFiles(recogniseFile(path)) ? TextStories() : readTextStories(path, {});
    if (question.why == "saved")
        for (const PrintedSummary& summary : summarizePrinted(path, {})) {
            if (told.log.find(summary.id)) continue;
            TracedCompile compile;
            compile.id = summary.id;
            told.log.compiles.push_back(std::move(compile));
            told.stories.emplace_back();
        }
    told.log.path = path;
    if (question.asksOne() && told.stories.empty())
        throw UsageError("--" + (question.why.empty() ? "list " + question.list : "why") + ": '" + path +
                         "' does not say that; record a log with TORCH_TRACE, or with "
                         "TORCH_LOGS=recompiles,graph_breaks,guards,dynamic");
    if (question.asksOne()) requireCompile(told.log, question);
    return {{std::make_shared<const TraceLog>(std::move(told.log)), path}, std::move(told.stories)};
}

ReadTrace readTrace(FoundTrace found, const TraceQuestion& question, bool everything) {
    requireCompile(*found.log, question);
    if (!question.compileId.empty() && !question.asksOne()) found.log = narrowed(*found.log, question.compileId);
    ReadTrace trace{std::move(found), {}};
    const auto topics = everything ? std::set<LogTopic>() : topicsFor(question);
    for (const TracedCompile& compile : trace.log->compiles) {
        // The reason of a recompilation refers to an earlier compilation.
        const bool asked =
            question.compileId.empty() || question.compileId == compile.id || question.why == "recompile";
        trace.stories.push_back(asked ? readStory(*trace.log, compile, {}, topics) : CompileStory());
    }
    return trace;
}

Table emptyList(const TraceQuestion& question) {
    if (!question.list.empty()) return listTable(askedList(question).table({}, {}, {}));
    return listTable(question.why.empty() ? overviewTable({}, {}, {}) : whySavedTable({}, nullptr, {}));
}

void addRows(Table& table, const ReadTrace& trace, const TraceQuestion& question) {
    for (std::size_t i = 0; i < trace.log->compiles.size(); ++i)
        if (const TracedCompile& compile = trace.log->compiles[i];
            question.compileId.empty() || question.compileId == compile.id)
            addRows(table, *trace.log, compile, tableOf(trace, question, i));
}

std::string answerText(const ReadTrace& trace, const TraceQuestion& question) {
    if (!question.asksOne()) return overviewText(*trace.log, trace.stories);
    std::string text;
    for (std::size_t i = 0; i < trace.log->compiles.size(); ++i) {
        const TracedCompile& compile = trace.log->compiles[i];
        if (!question.compileId.empty() && question.compileId != compile.id) continue;
        if (!question.record.empty()) text += recordText(*trace.log, compile, question.record);
        else if (!question.list.empty())
            text += compile.id + "  " + shortPlace(compile.code) + "\n" + listText(trace, question, i);
        else text += reasonText(trace, question, i);
    }
    return text.empty() ? nothingText(question) : text;
}

}  // namespace aotscope
