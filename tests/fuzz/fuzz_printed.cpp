// Python's printouts: readable graphs, and logs that contain them.

#include "fuzz/fuzz_targets.h"
#include "fuzz/memory_file.h"
#include "io/ranks/compare_logs.h"
#include "io/ranks/ranks_text.h"
#include "io/report.h"
#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/trace/trace_log_json.h"
#include "io/trace/trace_log_text.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "ir/types.h"
#include "load/model_source.h"
#include "load/printed/annotation.h"
#include "load/printed/exported_graph.h"
#include "load/printed/log/pass_name.h"
#include "load/printed/log/plain_line.h"
#include "load/printed/log/unknown_kinds.h"
#include "load/printed/node_comment.h"
#include "load/printed/parser.h"
#include "load/printed/syntax/load_args.h"
#include "load/printed/syntax/log_line.h"
#include "load/printed/syntax/node_list.h"
#include "load/printed/view_meta.h"
#include "load/trace_log/text_stories.h"
#include "load/trace_log/trace_indexer.h"
#include "load/trace_log/trace_story.h"
#include "passes/printed_record.h"
#include "passes/sequence_record.h"
#include "passes/torch_rules.h"
#include "record/pass_steps.h"
#include "support/error.h"
#include "verify/printed/printed_run.h"

#include <nlohmann/json.hpp>

namespace aotscope::fuzz {

namespace {

void requireSentence(const CompileRecord& record) {
    if (!record.error.empty()) throw Error(record.error);
    for (const auto& [kind, graph] : record.graphs) printGraph(*graph, Detail::full);
}

}  // namespace

/// The inputs that a run would need, without running it.
void prepareRun(const CompileRecord& record) {
    if (whyPrintedCannotRun(record).empty()) printedInputs(runnableGraphs(record, "cpu"));
}

void fuzzExportedGraph(std::string_view bytes) {
    if (!looksLikeExportedGraph(bytes)) throw Error("not exported");
    const auto graph = parseExportedGraph(bytes, "exported");
    printWithProvenance(*graph);
    graphJson(*graph);
}

void fuzzPrintedGraph(std::string_view bytes) {
    const PrintedText text{"printed", std::string(bytes), {}};
    const auto module = parsePrinted(text, {{"s0", 8}, {"s97", 6}});
    printGraph(*module->graph, Detail::full);
}

void fuzzNodeList(std::string_view bytes) {
    if (!isNodeList(bytes)) throw Error("no list of nodes");
    fuzzPrintedGraph(bytes);
}

/// Reads each of the small texts in a graph as far as possible.
void fuzzPrintedText(std::string_view bytes) {
    const SymbolHints hints = {{"s0", 8}, {"s97", INT64_MAX}, {"u0", -1}};
    readLogPrefix(bytes);
    PlainLine()(bytes);
    evaluateSize(bytes, hints);
    readViewMeta(bytes);
    readAnnotation(bytes, hints);
    readPassName(bytes);
    readNodeComment(bytes);
    readLoadArgs(bytes);
    LineHead(bytes, 2).lengthIn(bytes);
}

/// One graph after several passes, and the changes of each.
void fuzzPasses(std::string_view bytes) {
    const MemoryFile file(bytes);
    if (!mayBePrinted(recogniseFile(file.path()))) throw Error("not a text");
    const auto index = std::make_shared<const LogIndex>(indexLog(file.path(), {}));
    const PassSequences sequences = sequencesIn(index, Progress());
    if (sequences.list.empty()) throw Error("not one graph several times");
    const auto record = makeSequenceRecord({}, sequences, sequences.list.front(), torchRules(), nullptr, {});
    requireSentence(*record);
    for (std::size_t pass = 0; pass < record->passes.size(); ++pass) stepsOf(*record, pass);
}

void fuzzLog(std::string_view bytes) {
    const MemoryFile file(bytes);
    if (!mayBePrinted(recogniseFile(file.path()))) throw Error("not a text");
    LogIndex index = indexLog(file.path(), {});
    if (index.compiles.empty()) throw Error("nothing is printed in it");
    resolveUnknown(index);
    Options options;
    std::string error;
    for (const PrintedCompile& compile : index.compiles) {
        options.compileId = compile.id;
        try {
            const auto record = makePrintedRecord(options, index, torchRules(), {});
            requireSentence(*record);
            prepareRun(*record);
            for (std::size_t pass = 0; pass < record->passes.size(); ++pass) stepsOf(*record, pass);
        } catch (const Error& e) {
            error = e.what();
        }
    }
    if (!error.empty()) throw Error(error);
    options.repartition = true;
    requireSentence(*makePrintedRecord(options, index, torchRules(), {}));
}

/// The contents of a text of TORCH_LOGS besides its graphs.
void fuzzTextStories(std::string_view bytes) {
    const MemoryFile file(bytes);
    const TextStories told = readTextStories(file.path(), {});
    if (told.stories.empty()) throw Error("nothing is told in it");
    for (std::size_t i = 0; i < told.stories.size(); ++i) {
        whyRecompiledText(told.log.compiles[i], told.stories[i], {});
        whyBrokenText(told.log.compiles[i], told.stories[i]);
        tableText(loggedGuardsTable(told.stories[i]));
    }
    overviewText(told.log, told.stories);
    traceLogJson(told.log, told.stories).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The contents of a trace besides its graphs.
void fuzzTraceStory(std::string_view bytes) {
    const MemoryFile file(bytes);
    const auto log = std::make_shared<const TraceLog>(indexTrace(file.path(), {}));
    std::vector<CompileStory> stories;
    for (const TracedCompile& compile : log->compiles) {
        stories.push_back(readStory(*log, compile, {}));
        const CompileStory& story = stories.back();
        std::vector<std::vector<KeyDifference>> missed;
        for (const CacheEvent& event : story.caches) missed.push_back(whyMissed(*log, compile, event.line));
        whyCachedText(compile, story, missed);
        std::vector<std::string> made;
        for (const FailedGuard& guard : story.recompiledFor) made.push_back(madeFor(guard, story));
        whyRecompiledText(compile, story, made);
        whyBrokenText(compile, story);
        for (const TraceList& list : traceLists())
            if (tableText(list.table(*log, compile, story)).empty()) throw Error("a table without a heading");
        if (story.minCut) memoryBudgetText(*story.minCut);
    }
    overviewText(*log, stories);
    traceLogJson(*log, stories).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    rankDifferencesText(compareRankLogs({log, log}, {}), {"a", "b"});
    if (const auto problems = problemsText(*log, stories); !problems.empty()) throw Error(problems);
}

}  // namespace aotscope::fuzz
