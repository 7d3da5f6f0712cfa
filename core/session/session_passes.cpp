#include "session/session_passes.h"

#include "io/session/model_reference.h"
#include "passes/sequence_record.h"
#include "session/graph_session.h"
#include "session/session_saved.h"
#include "support/error.h"

namespace aotscope {

namespace {

using Sequences = std::shared_ptr<const PassSequences>;

class PassesSession final : public GraphSession {
public:
    PassesSession(const Options& options, Sequences sequences, FileStamp stamp, const Progress& progress,
                  PassObserver* observer)
        : options_(options),
          sequences_(std::move(sequences)),
          stamp_(stamp),
          sequence_(chooseSequence(*sequences_, options.compileId)),
          record_(makeSequenceRecord(options, *sequences_, sequence_, observer, progress)) {
        options_.compileId = sequence_.id;
    }

    const Options& options() const override { return options_; }
    std::shared_ptr<const CompileRecord> record() const override { return record_; }
    std::vector<std::string> compileIds() const override { return sequences_->ids; }
    std::string whyNotExecutable() const override {
        return "graphs that passes have printed have no parameters and no inputs: they can be looked at, not run; open "
               "the model itself";
    }
    SessionContent content() const override { return contentOf(*this, reference_.get(options_.model, stamp_)); }

private:
    Options options_;
    Sequences sequences_;
    FileStamp stamp_;
    CachedReference reference_;
    const PassSequence& sequence_;
    std::shared_ptr<const CompileRecord> record_;
};

void requireNoSplit(const Options& options) {
    if (options.repartition || options.decompositions)
        throw UsageError("'" + options.model +
                         "' is a sequence of printed passes, which is shown as it is; to split a "
                         "joint graph, open its file alone");
}

std::shared_ptr<const Session> sessionOn(Sequences sequences, const Options& options, const Progress& progress,
                                         PassObserver* observer) {
    requireNoSplit(options);
    return std::make_shared<PassesSession>(options, std::move(sequences), fileStamp(options.model), progress, observer);
}

}  // namespace

void GraphSession::refuse() const { throw Error(whyNotExecutable()); }

std::shared_ptr<const Session> openPasses(const Options& options, const Progress& progress, PassObserver* observer) {
    if (!namesSeveralFiles(options.model)) return nullptr;
    progress.enter("folder");
    auto sequences = std::make_shared<const PassSequences>(findSequences(options.model, progress));
    return sessionOn(std::move(sequences), options, progress, observer);
}

std::shared_ptr<const Session> openPassesOf(PassSequences sequences, const Options& options, const Progress& progress,
                                            PassObserver* observer) {
    if (sequences.list.empty()) return nullptr;
    sequences.where = options.model;
    return sessionOn(std::make_shared<const PassSequences>(std::move(sequences)), options, progress, observer);
}

std::vector<PrintedSummary> summarizePasses(const PassSequences& sequences, const Progress& progress) {
    std::vector<PrintedSummary> list;
    for (const PassSequence& sequence : sequences.list) {
        PrintedSummary summary{sequence.id, {}, {}};
        try {
            for (const ReadPass& pass : readPasses(sequence, progress).passes)
                summary.graphs.emplace_back(pass.title, pass.graph->callCount());
        } catch (const Error& e) {
            summary.error = e.what();
        }
        list.push_back(std::move(summary));
    }
    return list;
}

}  // namespace aotscope
