#include "session/open/session_passes.h"

#include "passes/sequence_record.h"
#include "passes/torch_rules.h"
#include "record/options/option_use.h"
#include "session/open/printed_graph_session.h"
#include "support/error.h"

namespace aotscope {

namespace {

constexpr const char* kRunsAsItIs =
    "graphs printed by passes are shown and run as they are; open the model itself, or the file of one graph";

class PassesSession final : public PrintedGraphSession {
public:
    PassesSession(const Options& options, const PassSequences& sequences, const PassSequence& sequence,
                  const ChosenLog& log, const Progress& progress, PassObserver* observer)
        : PrintedGraphSession(options, {log.file, log.rank, sequence.id, {}}, fileStamp(log.file),
                              makeSequenceRecord(options, sequences, sequence, TorchRules(), observer, progress)) {
        for (const std::string& id : sequences.ids) compileIds_.push_back(rankPrefix_ + id);
        if (const auto& index = sequence.texts.front().index) trace_ = index->trace;
        options.use({"--compile-id", "--verify", "--device"});
        usePrintedRunOptions(options, *record());
        explainUnused(options, kRunsAsItIs, kRunsAsItIs);
    }
};

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

std::shared_ptr<const Session> sessionOn(const PassSequences& sequences, const Options& options, const ChosenLog& log,
                                         const Progress& progress, PassObserver* observer) {
    requireNoSplit(options);
    const PassSequence& sequence = chooseSequence(sequences, log.compileId);
    return std::make_shared<PassesSession>(options, sequences, sequence, log, progress, observer);
}

}  // namespace

std::shared_ptr<const Session> openPasses(const Options& options, const Progress& progress, PassObserver* observer) {
    progress.enter("folder");
    return sessionOn(findSequences(options.model, progress), options, {options.model, {}, options.compileId, {}},
                     progress, observer);
}

std::shared_ptr<const Session> openPassesOf(PassSequences sequences, const Options& options, const ChosenLog& log,
                                            const Progress& progress, PassObserver* observer) {
    if (sequences.list.empty()) return nullptr;
    sequences.where = options.model;
    return sessionOn(sequences, options, log, progress, observer);
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
