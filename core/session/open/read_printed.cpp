#include "session/open/read_printed.h"

#include "load/printed/log/unknown_kinds.h"
#include "load/printed/passes/pass_sequence.h"
#include "passes/printed_record.h"
#include "passes/sequence_record.h"
#include "record/graph_options.h"
#include "record/options/option_use.h"
#include "session/open/printed_session.h"
#include "session/session_limits.h"
#include "support/input_file.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

// --- sequences of passes ---

constexpr const char* kRunsAsItIs =
    "graphs printed by passes are shown and run as they are; open the model itself, or the file of one graph";

/// Names the option that was given, if any.
void requireNoSplit(const Options& options) {
    if (!options.repartition && !options.decompositions) return;
    std::string typed;
    for (const OptionEntry& entry : optionTable()) {
        const bool splits = entry.scope == OptionScope::partition || entry.name() == "--decompose";
        if (typed.empty() && splits && options.given && options.given->contains(entry.name()))
            typed = std::string(entry.name()) + ": ";
    }
    throw UsageError(typed + "'" + options.model +
                     "' is a sequence of printed passes, which runs as it is; to split a "
                     "joint graph, open its file alone");
}

PrintedReading readSequence(const PassSequences& sequences, const PrintedRequest& request, const ChosenLog& log) {
    const Options& options = request.options;
    requireNoSplit(options);
    const PassSequence& sequence = chooseSequence(sequences, log.compileId);
    PrintedReading read;
    read.log = {log.file, log.rank, sequence.id, {}};
    read.stamp = fileStamp(log.file);
    read.record = makeSequenceRecord(options, sequences, sequence, request.rules, request.observer, request.progress);
    read.whyNotCompiled = kPrintedNotCompiled;
    for (const std::string& id : sequences.ids) read.compileIds.push_back(log.rank + id);
    if (const auto& index = sequence.texts.front().index) read.trace = index->trace;
    options.use({"--compile-id", "--verify", "--device"});
    useForPrintedRun(options, *read.record);
    explainUnused(options, kRunsAsItIs, kRunsAsItIs);
    return read;
}

/// A folder, or files matching a pattern, with printed graphs: a run with a pass for each of them. Throws Error without
/// graphs.
PrintedReading readPassFolder(const PrintedRequest& request) {
    const Options& options = request.options;
    request.progress.enter("folder");
    return readSequence(findSequences(options.model, request.progress), request,
                        {options.model, {}, options.compileId, {}});
}

/// The same for sequences in one file; nothing if there are none.
std::optional<PrintedReading> readPassesOf(PassSequences sequences, const PrintedRequest& request,
                                           const ChosenLog& log) {
    if (sequences.list.empty()) return std::nullopt;
    sequences.where = request.options.model;
    return readSequence(sequences, request, log);
}

/// With a graph for each pass.
std::vector<PrintedSummary> summarizePasses(const PassSequences& sequences, const Progress& progress) {
    std::vector<PrintedSummary> list;
    for (const PassSequence& sequence : sequences.list) {
        PrintedSummary summary{sequence.id, {}, {}};
        try {
            for (const ReadPass& pass : readPasses(sequence, rulesWithoutTorch(), progress).passes)
                summary.graphs.emplace_back(pass.title, pass.graph->callCount());
        } catch (const Error& e) {
            summary.error = e.what();
        }
        list.push_back(std::move(summary));
    }
    return list;
}

// --- compilations ---

Options withId(Options options, const std::string& compileId) {
    options.compileId = compileId;
    return options;
}

/// The same compilation of other ranks comes last.
std::vector<std::string> idsOf(const ChosenLog& log, const auto& compiles) {
    std::vector<std::string> ids;
    for (const auto& compile : compiles) ids.push_back(log.rank + compile.id);
    for (const std::string& other : log.others) ids.push_back(other + log.compileId);
    return ids;
}

/// Marks the options that made the record, and those that a run would use.
void useOptions(const Options& options, const CompileRecord& record) {
    if (!options.given) return;
    options.use({"--compile-id", "--verify", "--decompose", "--at", "--device"});
    useForPrintedRun(options, record);
    if (options.repartition || options.decompositions) useForGraphs(options, record);
    explainUnused(options, "the partition is Python's own; give --partition as well to split its joint graph again",
                  kPrintedNotCompiled);
}

PrintedReading readCompile(const PrintedRequest& request, std::shared_ptr<const LogIndex> index, ChosenLog log,
                           FileStamp stamp) {
    const Options& options = request.options;
    const auto record =
        makePrintedRecord(withId(options, log.compileId), *index, request.rules, request.progress, request.split);
    log.compileId = chooseCompile(*index, log.compileId).id;
    std::vector<std::string> ids = idsOf(log, index->compiles);
    useOptions(options, *record);
    return {std::move(log), stamp, record, std::move(ids), index->trace, index, kPrintedNotCompiled};
}

std::string whyNoGraphs(const std::filesystem::path& log) {
    return "'" + log.string() +
           "' is a TORCH_TRACE log without graphs: nothing was compiled while it was written, or the results came from "
           "a cache; 'aotscope compiles' and the page Compilations say what is in it; run again with "
           "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1";
}

/// A log that only describes compilations.
PrintedReading readStories(const Options& options, const std::shared_ptr<const TraceLog>& trace, ChosenLog log,
                           FileStamp stamp) {
    options.use("--compile-id");
    explainUnused(options, "the log has no graphs; leave it out", "the log has no graphs; open the model itself");
    if (!log.compileId.empty() && !trace->find(log.compileId))
        throw UsageError("--compile-id " + log.compileId + ": '" + log.file.filename().string() + "' has " +
                         counted(trace->compiles.size(), "compilation") + ", none of this id; list them with " +
                         "'aotscope compiles'");
    if (log.compileId.empty() && !trace->compiles.empty()) log.compileId = trace->compiles.front().id;
    std::vector<std::string> ids = idsOf(log, trace->compiles);
    const std::string why = whyNoGraphs(log.file);
    auto record = std::make_shared<CompileRecord>();
    record->model = {log.file.stem().string(), log.file.string(), "TORCH_TRACE log without graphs", {}};
    auto metadata = std::make_shared<FunctionMetadata>();
    metadata->whyAutograd = "no graph was printed, so nothing is known about gradients";
    record->metadata = record->graphMetadata = std::move(metadata);
    record->warnings = {why};
    return {std::move(log), stamp, std::move(record), std::move(ids), trace, nullptr, why, why};
}

/// Null if the file has no printed graphs. The kinds of graphs without headings are still unknown.
std::shared_ptr<LogIndex> openLog(const std::filesystem::path& file, const Progress& progress) {
    progress.enter("index");
    auto index = std::make_shared<LogIndex>(indexLog(file, progress));
    return index->compiles.empty() && !index->trace ? nullptr : index;
}

/// Of the previous session, if it is on the same file, unchanged.
std::shared_ptr<const LogIndex> knownIndex(const PrintedRequest& request, const ChosenLog& log, FileStamp stamp) {
    const auto* same = dynamic_cast<const FromPrinted*>(request.previous);
    const bool fits = same && request.options.model == request.previous->options().model &&
                      log.file == same->reading().log.file && stamp == same->reading().stamp;
    return fits ? same->reading().index : nullptr;
}

}  // namespace

std::optional<PrintedReading> readPrinted(const PrintedRequest& request, ModelSource source) {
    const Options& options = request.options;
    std::optional<WatchedReading> reading(std::in_place, options);
    const ChosenLog log =
        source == ModelSource::folder ? chooseLog(options) : ChosenLog{options.model, {}, options.compileId, {}};
    if (namesSeveralFiles(source) && log.file == options.model) return readPassFolder(request);
    const auto stamp = fileStamp(log.file);
    auto index = knownIndex(request, log, stamp);
    if (!index) {
        const auto found = openLog(log.file, request.progress);
        if (!found) return std::nullopt;
        if (found->compiles.empty()) return readStories(options, found->trace, log, stamp);
        if (auto passes = readPassesOf(sequencesIn(found, request.progress), request, log)) return passes;
        resolveUnknown(*found);
        index = found;
    }
    const PrintedCompile& compile = chooseCompile(*index, log.compileId);
    if (auto passes = readPassesOf(sequencesIn(index, compile), request, log)) return passes;
    request.progress.enter("graphs");
    if (options.repartition || options.decompositions) reading.reset();  // what else is done has no limits
    return readCompile(request, std::move(index), log, stamp);
}

namespace {

std::vector<PrintedSummary> summarize(const std::shared_ptr<LogIndex>& index, const Progress& progress) {
    if (index->compiles.empty()) throw Error(whyNoGraphs(index->path));
    if (const auto passes = sequencesIn(index, progress); !passes.list.empty())
        return summarizePasses(passes, progress);
    resolveUnknown(*index);
    std::vector<PrintedSummary> list;
    for (const auto& compile : index->compiles) {
        progress.throwIfCancelled();
        if (const auto passes = sequencesIn(index, compile); !passes.list.empty()) {
            list.push_back(summarizePasses(passes, progress).front());
            continue;
        }
        PrintedSummary summary{compile.id, {}, {}};
        try {
            const auto family = readFamily(*index, compile, rulesWithoutTorch());
            for (const auto& [kind, graph] : family.graphs)
                summary.graphs.emplace_back(std::string(name(kind)), graph->callCount());
            for (const auto& [graphs, title] : {std::pair{&family.inductor.preGrad, "pre-grad"},
                                                {&family.inductor.joint, "joint"},
                                                {&family.inductor.postGrad, "post-grad"}})
                for (const InductorGraph& own : *graphs)
                    summary.graphs.emplace_back(own.title.empty() ? title : own.title, own.graph->callCount());
        } catch (const Error& e) {
            const bool alone = index->compiles.size() == 1 && compile.sections.front().kind == PrintedKind::unknown;
            if (alone) throw;  // another class, without graphs
            summary.error = e.what();
        }
        list.push_back(std::move(summary));
    }
    return list;
}

}  // namespace

std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress) {
    const ModelSource source = recogniseFile(path);
    if (namesSeveralFiles(source)) return summarizePasses(findSequences(path, progress), progress);
    const InputFile readable(path);  // or throws the reason
    const auto index = mayBePrinted(source) ? openLog(path, progress) : nullptr;
    if (!index)
        throw Error("'" + path.string() +
                    "' holds no printed graphs; expected a log written with TORCH_LOGS=aot_graphs, " +
                    "TORCH_TRACE or gm.print_readable()");
    return summarize(index, progress);
}

std::vector<PrintedSummary> summarizePrinted(std::shared_ptr<const TraceLog> log, const Progress& progress) {
    return summarize(std::make_shared<LogIndex>(indexLog(std::move(log))), progress);
}

}  // namespace aotscope
