#include "session/session_passes.h"

#include "io/session/model_reference.h"
#include "passes/sequence_record.h"
#include "record/option_use.h"
#include "session/graph_session.h"
#include "session/session_saved.h"
#include "support/error.h"

namespace aotscope {

namespace {

constexpr const char* kShownAsItIs =
    "graphs that passes have printed are shown as they are; open the model itself, or the file of one graph";

using Sequences = std::shared_ptr<const PassSequences>;

class PassesSession final : public GraphSession, public TraceHolder {
public:
    PassesSession(const Options& options, Sequences sequences, const ChosenLog& log, const Progress& progress,
                  PassObserver* observer)
        : options_(options),
          sequences_(std::move(sequences)),
          rank_(log.rank),
          stamp_(fileStamp(log.file)),
          sequence_(chooseSequence(*sequences_, log.compileId)),
          record_(makeSequenceRecord(options, *sequences_, sequence_, observer, progress)) {
        options_.compileId = rank_ + sequence_.id;
        options.use({"--compile-id", "--verify"});
        explainUnused(options, kShownAsItIs, kShownAsItIs);
    }

    const Options& options() const override { return options_; }
    std::shared_ptr<const CompileRecord> record() const override { return record_; }
    std::vector<std::string> compileIds() const override {
        std::vector<std::string> ids;
        for (const std::string& id : sequences_->ids) ids.push_back(rank_ + id);
        return ids;
    }
    std::shared_ptr<const TraceLog> trace() const override {
        const auto& index = sequence_.texts.front().index;
        return index ? index->trace : nullptr;
    }
    const std::string& rank() const override { return rank_; }
    std::string whyNotExecutable() const override {
        return "graphs that passes have printed have no parameters and no inputs: they can be looked at, not run; open "
               "the model itself";
    }
    SessionContent content() const override { return contentOf(*this, reference_.get(options_.model, stamp_)); }

private:
    Options options_;
    Sequences sequences_;
    std::string rank_;
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

std::shared_ptr<const Session> sessionOn(Sequences sequences, const Options& options, const ChosenLog& log,
                                         const Progress& progress, PassObserver* observer) {
    requireNoSplit(options);
    return std::make_shared<PassesSession>(options, std::move(sequences), log, progress, observer);
}

}  // namespace

void GraphSession::refuse() const { throw Error(whyNotExecutable()); }

std::shared_ptr<const Session> openPasses(const Options& options, const Progress& progress, PassObserver* observer) {
    if (!namesSeveralFiles(options.model)) return nullptr;
    progress.enter("folder");
    auto sequences = std::make_shared<const PassSequences>(findSequences(options.model, progress));
    return sessionOn(std::move(sequences), options, {options.model, {}, options.compileId, {}}, progress, observer);
}

std::shared_ptr<const Session> openPassesOf(PassSequences sequences, const Options& options, const ChosenLog& log,
                                            const Progress& progress, PassObserver* observer) {
    if (sequences.list.empty()) return nullptr;
    sequences.where = options.model;
    return sessionOn(std::make_shared<const PassSequences>(std::move(sequences)), options, log, progress, observer);
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
