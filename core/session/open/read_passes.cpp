#include "session/open/read_passes.h"

#include "passes/sequence_record.h"
#include "record/graph_options.h"
#include "record/options/option_use.h"
#include "support/error.h"

namespace aotscope {

namespace {

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
    PrintedReading read{
        .log = {log.file, log.rank, sequence.id, {}},
        .stamp = fileStamp(log.file),
        .record = makeSequenceRecord(options, sequences, sequence, request.rules, request.observer, request.progress),
        .whyNotCompiled = kPrintedNotCompiled};
    for (const std::string& id : sequences.ids) read.compileIds.push_back(log.rank + id);
    if (const auto& index = sequence.texts.front().index) read.trace = index->trace;
    options.use({"--compile-id", "--verify", "--device"});
    useForPrintedRun(options, *read.record);
    explainUnused(options, kRunsAsItIs, kRunsAsItIs);
    return read;
}

}  // namespace

PrintedReading readPassFolder(const PrintedRequest& request) {
    const Options& options = request.options;
    request.progress.enter("folder");
    return readSequence(findSequences(options.model, request.progress), request,
                        {options.model, {}, options.compileId, {}});
}

std::optional<PrintedReading> readPassesOf(PassSequences sequences, const PrintedRequest& request,
                                           const ChosenLog& log) {
    if (sequences.list.empty()) return std::nullopt;
    sequences.where = request.options.model;
    return readSequence(sequences, request, log);
}

std::vector<PrintedSummary> summarizePasses(const PassSequences& sequences, const Progress& progress) {
    std::vector<PrintedSummary> list;
    for (const PassSequence& sequence : sequences.list) {
        PrintedSummary summary{sequence.id, {}, {}};
        try {
            for (const ReadPass& pass : readPasses(sequence, RulesWithoutTorch(), progress).passes)
                summary.graphs.emplace_back(pass.title, pass.graph->callCount());
        } catch (const Error& e) {
            summary.error = e.what();
        }
        list.push_back(std::move(summary));
    }
    return list;
}

}  // namespace aotscope
