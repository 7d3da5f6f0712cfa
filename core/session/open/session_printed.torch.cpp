#include "session/open/session_printed.h"

#include "load/printed/log/unknown_kinds.h"
#include "passes/printed_record.h"
#include "passes/torch_rules.h"
#include "record/graph_options.h"
#include "record/options/option_use.h"
#include "session/open/printed_graph_session.h"
#include "session/open/session_passes.h"
#include "session/open/session_saved.h"
#include "support/input_file.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

Options withId(Options options, const std::string& compileId) {
    options.compileId = compileId;
    return options;
}

ChosenLog withId(ChosenLog log, std::string compileId) {
    log.compileId = std::move(compileId);
    return log;
}

class PrintedSession final : public PrintedGraphSession {
public:
    PrintedSession(const Options& options, std::shared_ptr<const LogIndex> index, const ChosenLog& log, FileStamp stamp,
                   const Progress& progress)
        : PrintedGraphSession(options, withId(log, chooseCompile(*index, log.compileId).id), stamp,
                              makePrintedRecord(withId(options, log.compileId), *index, TorchRules(), progress)),
          index_(std::move(index)) {
        for (const auto& compile : index_->compiles) compileIds_.push_back(rankPrefix_ + compile.id);
        // The same compilation of other ranks.
        for (const std::string& other : log.others) compileIds_.push_back(other + this->log().compileId);
        trace_ = index_->trace;
        useOptions();
    }

    bool holds(const Options& options, const std::filesystem::path& file, const FileStamp& stamp) const {
        return options.model == this->options().model && file == log().file && stamp == this->stamp();
    }
    const std::shared_ptr<const LogIndex>& index() const { return index_; }

private:
    /// Marks the options that made the record, and those that a run would use.
    void useOptions() const {
        const Options& given = options();
        if (!given.given) return;
        given.use({"--compile-id", "--verify", "--decompose", "--at", "--device"});
        usePrintedRunOptions(given, *record());
        if (given.repartition || given.decompositions) useForGraphs(given, *record());
        explainUnused(given, "the partition is Python's own; give --partition as well to split its joint graph again",
                      whyNotCompiled());
    }

    std::shared_ptr<const LogIndex> index_;
};

std::string whyNoGraphs(const std::filesystem::path& log) {
    return "'" + log.string() +
           "' is a TORCH_TRACE log without graphs: nothing was compiled while it was written, or the results came from "
           "a cache; 'aotscope compiles' and the page Compilations say what is in it; run again with "
           "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1";
}

/// A log that only describes compilations.
class LogSession final : public Session {
public:
    LogSession(const Options& options, std::shared_ptr<const TraceLog> trace, ChosenLog log)
        : Session(options), file_(log.file), stamp_(fileStamp(file_)) {
        trace_ = std::move(trace);
        rankPrefix_ = log.rank;
        options.use("--compile-id");
        explainUnused(options, "the log has no graphs; leave it out", "the log has no graphs; open the model itself");
        if (!log.compileId.empty() && !trace_->find(log.compileId))
            throw UsageError("--compile-id " + log.compileId + ": '" + file_.filename().string() + "' has " +
                             counted(trace_->compiles.size(), "compilation") + ", none of this id; list them with " +
                             "'aotscope compiles'");
        if (log.compileId.empty() && !trace_->compiles.empty()) log.compileId = trace_->compiles.front().id;
        options_.compileId = log.compileId.empty() ? std::string() : log.rank + log.compileId;
        for (const TracedCompile& compile : trace_->compiles) compileIds_.push_back(log.rank + compile.id);
        for (const std::string& other : log.others) compileIds_.push_back(other + log.compileId);
        auto record = std::make_shared<CompileRecord>();
        record->model = {file_.stem().string(), file_.string(), "TORCH_TRACE log without graphs", {}};
        auto metadata = std::make_shared<FunctionMetadata>();
        metadata->whyAutograd = "no graph was printed, so nothing is known about gradients";
        record->metadata = record->graphMetadata = std::move(metadata);
        record->warnings = {whyNoGraphs(file_)};
        record_ = std::move(record);
    }

    std::string whyNotCompiled() const override { return whyNotExecutable(); }
    std::string whyNotExecutable() const override { return whyNoGraphs(file_); }
    SessionContent content() const override { return contentOf(*this, reference_.get(options_.model, stamp_)); }

private:
    std::filesystem::path file_;
    FileStamp stamp_;
    CachedReference reference_;
};

/// Null if the file has no printed graphs. The kinds of graphs without headings are still unknown.
std::shared_ptr<LogIndex> openLog(const std::filesystem::path& file, const Progress& progress) {
    progress.enter("index");
    auto index = std::make_shared<LogIndex>(indexLog(file, progress));
    return index->compiles.empty() && !index->trace ? nullptr : index;
}

}  // namespace

std::shared_ptr<const Session> openPrinted(const Options& options, ModelSource source, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    const ChosenLog log =
        source == ModelSource::folder ? chooseLog(options) : ChosenLog{options.model, {}, options.compileId, {}};
    if (namesSeveralFiles(source) && log.file == options.model) return openPasses(options, progress, observer);
    const auto stamp = fileStamp(log.file);
    const auto* same = dynamic_cast<const PrintedSession*>(previous.get());
    auto index = same && same->holds(options, log.file, stamp) ? same->index() : nullptr;
    if (!index) {
        const auto found = openLog(log.file, progress);
        if (!found) return nullptr;
        if (found->compiles.empty()) return std::make_shared<LogSession>(options, found->trace, log);
        if (auto passes = openPassesOf(sequencesIn(found, progress), options, log, progress, observer)) return passes;
        resolveUnknown(*found);
        index = found;
    }
    const PrintedCompile& compile = chooseCompile(*index, log.compileId);
    if (auto passes = openPassesOf(sequencesIn(index, compile), options, log, progress, observer)) return passes;
    progress.enter("graphs");
    return std::make_shared<PrintedSession>(options, std::move(index), log, stamp, progress);
}

std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress) {
    const ModelSource source = recogniseFile(path);
    if (namesSeveralFiles(source)) return summarizePasses(findSequences(path, progress), progress);
    const InputFile readable(path);  // or throws the reason
    const auto index = mayBePrinted(source) ? openLog(path, progress) : nullptr;
    if (index && index->compiles.empty()) throw Error(whyNoGraphs(path));
    if (!index)
        throw Error("'" + path.string() +
                    "' holds no printed graphs; expected a log written with TORCH_LOGS=aot_graphs, " +
                    "TORCH_TRACE or gm.print_readable()");
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
            const auto family = readFamily(*index, compile, RulesWithoutTorch());
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

}  // namespace aotscope
