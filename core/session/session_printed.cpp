#include "session/session_printed.h"

#include "compile/out_of_memory.h"
#include "device/device.h"
#include "io/session/model_reference.h"
#include "load/printed/unknown_kinds.h"
#include "passes/printed_record.h"
#include "record/option_use.h"
#include "session/executable_session.h"
#include "session/foreign_job.h"
#include "session/graph_session.h"
#include "session/session_passes.h"
#include "session/session_saved.h"
#include "support/input_file.h"
#include "support/names.h"
#include "verify/printed_run.h"

#include <algorithm>
#include <mutex>

namespace aotscope {

namespace {

constexpr const char* kNotCompiled =
    "printed graphs cannot be made anew, since the program that they came from is not there; open the model itself";

Options withId(Options options, const std::string& compileId) {
    options.compileId = compileId;
    return options;
}

class PrintedSession final : public ExecutableSession, public TraceHolder {
public:
    PrintedSession(const Options& options, std::shared_ptr<const LogIndex> index, ChosenLog log, FileStamp stamp,
                   const Progress& progress)
        : options_(options),
          index_(std::move(index)),
          log_(std::move(log)),
          stamp_(stamp),
          record_(makePrintedRecord(withId(options, log_.compileId), *index_, progress)),
          whyNot_(whyPrintedCannotRun(*record_)) {
        log_.compileId = chooseCompile(*index_, log_.compileId).id;
        options_.compileId = log_.rank + log_.compileId;
        useOptions();
    }

    bool holds(const Options& options, const std::filesystem::path& file, const FileStamp& stamp) const {
        return options.model == options_.model && file == log_.file && stamp == stamp_;
    }
    const std::shared_ptr<const LogIndex>& index() const { return index_; }

    const Options& options() const override { return options_; }
    std::shared_ptr<const CompileRecord> record() const override { return record_; }
    InputSpec inputSpec() const override {
        if (const auto* spec = std::get_if<InputSpec>(&options_.inputs)) return *spec;
        return whyNot_.empty() ? printedInputs(runnableGraphs(*record_, options_.device)) : InputSpec();
    }
    std::vector<std::string> inputNames() const override {
        return whyNot_.empty() ? printedInputNames(*record_->graph(executedGraphs(*record_).front()))
                               : std::vector<std::string>();
    }
    std::vector<std::string> compileIds() const override {
        std::vector<std::string> ids;
        for (const auto& compile : index_->compiles) ids.push_back(log_.rank + compile.id);
        // The same compilation of other ranks.
        for (const std::string& other : log_.others) ids.push_back(other + log_.compileId);
        return ids;
    }
    std::shared_ptr<const TraceLog> trace() const override { return index_->trace; }
    const std::string& rank() const override { return log_.rank; }
    std::string whyNotCompiled() const override { return kNotCompiled; }
    std::string whyNoOtherInputs() const override { return whyNot_; }
    std::string whyNotExecutable() const override {
        const std::string device = whyDeviceCannotRun(options_.device);
        return device.empty() ? whyNot_ : device;
    }
    SessionContent content() const override {
        SessionContent content = contentOf(*this, reference_.get(options_.model, stamp_));
        content.runsAsItIs = whyNot_.empty();
        return content;
    }

    TrainResult train(const TrainOptions&, const Progress&, const TrainListener&) const override {
        throw Error("printed graphs cannot be trained: they have no parameters of their own; open the model itself");
    }

private:
    /// What the record was made with, and what a run would be made with.
    void useOptions() const {
        if (!options_.given) return;
        options_.use({"--compile-id", "--verify", "--decompose", "--at", "--device"});
        if (options_.plans(GivenOptions::Purpose::run)) usePrintedRunOptions(options_, *record_);
        if (options_.repartition || options_.decompositions) useForGraphs(options_, *record_);
        explainUnused(options_, "the partition is Python's own; give --partition as well to split its joint graph anew",
                      kNotCompiled);
    }

    /// Made when something runs for the first time: inputs may be large.
    Runnable runnable(const Progress& progress) const override {
        if (const std::string why = whyNotExecutable(); !why.empty()) throw Error(why);
        const std::scoped_lock lock(mutex_);
        if (!run_) run_ = makeRun(progress);
        return {*run_->modelRun, run_->compilation, run_->options};
    }
    std::unique_ptr<const PrintedRun> makeRun(const Progress& progress) const {
        progress.enter("inputs");
        try {
            return foreignJob(Budget(progress), options_.allow,
                              [&] { return std::make_unique<const PrintedRun>(makePrintedRun(*record_, options_)); });
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            throw;
        } catch (const std::exception& e) {
            if (isOutOfMemory(e)) throw Error(outOfMemoryText(e, "while making inputs", {}));
            throw Error("the printed graphs cannot be prepared for a run: " + firstSentence(e.what()));
        }
    }
    const ConstantTable& constantsOf(GraphKind /*kind*/) const override {
        static const ConstantTable none;
        return none;
    }
    Compilation recompile(const std::vector<c10::IValue>&, std::size_t, const Progress&) const override {
        throw Error(kNotCompiled);
    }

    Options options_;
    std::shared_ptr<const LogIndex> index_;
    ChosenLog log_;
    FileStamp stamp_;
    CachedReference reference_;
    std::shared_ptr<const CompileRecord> record_;
    std::string whyNot_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<const PrintedRun> run_;  ///< null until something is run
};

std::string whyNoGraphs(const std::filesystem::path& log) {
    return "'" + log.string() +
           "' is a TORCH_TRACE log without graphs: nothing was compiled while it was written, or the results came from "
           "a cache; 'aotscope compiles' and the page Compilations say what is in it; run again with "
           "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1";
}

/// A log that only tells of compilations.
class LogSession final : public GraphSession, public TraceHolder {
public:
    LogSession(const Options& options, std::shared_ptr<const TraceLog> trace, ChosenLog log)
        : options_(options), trace_(std::move(trace)), log_(std::move(log)), stamp_(fileStamp(log_.file)) {
        options.use("--compile-id");
        explainUnused(options, "the log has no graphs; leave it out", "the log has no graphs; open the model itself");
        if (!log_.compileId.empty() && !trace_->find(log_.compileId))
            throw UsageError("--compile-id " + log_.compileId + ": '" + log_.file.filename().string() + "' has " +
                             counted(trace_->compiles.size(), "compilation") + ", none of this id; list them with " +
                             "'aotscope compiles'");
        if (log_.compileId.empty() && !trace_->compiles.empty()) log_.compileId = trace_->compiles.front().id;
        options_.compileId = log_.compileId.empty() ? std::string() : log_.rank + log_.compileId;
        auto record = std::make_shared<CompileRecord>();
        record->model = {log_.file.stem().string(), log_.file.string(), "TORCH_TRACE log without graphs", {}};
        auto metadata = std::make_shared<FunctionMetadata>();
        metadata->whyAutograd = "no graph was printed, so nothing is known of gradients";
        record->metadata = record->graphMetadata = std::move(metadata);
        record->warnings = {whyNoGraphs(log_.file)};
        record_ = std::move(record);
    }

    const Options& options() const override { return options_; }
    std::shared_ptr<const CompileRecord> record() const override { return record_; }
    std::vector<std::string> compileIds() const override {
        std::vector<std::string> ids;
        for (const TracedCompile& compile : trace_->compiles) ids.push_back(log_.rank + compile.id);
        for (const std::string& other : log_.others) ids.push_back(other + log_.compileId);
        return ids;
    }
    std::string whyNotExecutable() const override { return whyNoGraphs(log_.file); }
    SessionContent content() const override { return contentOf(*this, reference_.get(options_.model, stamp_)); }
    std::shared_ptr<const TraceLog> trace() const override { return trace_; }
    const std::string& rank() const override { return log_.rank; }

private:
    Options options_;
    std::shared_ptr<const TraceLog> trace_;
    ChosenLog log_;
    FileStamp stamp_;
    CachedReference reference_;
    std::shared_ptr<const CompileRecord> record_;
};

/// Null when there is nothing printed in the file. The kinds of graphs without headings are not known yet.
std::shared_ptr<LogIndex> openLog(const std::filesystem::path& file, const Progress& progress) {
    progress.enter("index");
    auto index = std::make_shared<LogIndex>(indexLog(file, progress));
    return index->compiles.empty() && !index->trace ? nullptr : index;
}

}  // namespace

std::shared_ptr<const Session> openPrinted(const Options& options, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    const ChosenLog log = chooseLog(options);
    if (log.file == options.model)
        if (auto passes = openPasses(options, progress, observer)) return passes;
    if (!looksLikeText(log.file)) return nullptr;
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

std::shared_ptr<const TraceLog> traceLogOf(const Session& session) {
    const auto* holder = dynamic_cast<const TraceHolder*>(&session);
    return holder ? holder->trace() : nullptr;
}

std::string rankPrefixOf(const Session& session) {
    const auto* holder = dynamic_cast<const TraceHolder*>(&session);
    return holder ? holder->rank() : std::string();
}

std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress) {
    if (namesSeveralFiles(path)) return summarizePasses(findSequences(path, progress), progress);
    const InputFile readable(path);  // or it says why not
    const auto index = looksLikeText(path) ? openLog(path, progress) : nullptr;
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
            const auto family = readFamily(*index, compile);
            for (const auto& [kind, graph] : family.graphs)
                summary.graphs.emplace_back(std::string(name(kind)), graph->callCount());
            for (const auto& [graphs, title] : {std::pair{&family.inductor.preGrad, "pre-grad"},
                                                {&family.inductor.joint, "joint"},
                                                {&family.inductor.postGrad, "post-grad"}})
                for (const InductorGraph& own : *graphs)
                    summary.graphs.emplace_back(own.title.empty() ? title : own.title, own.graph->callCount());
        } catch (const Error& e) {
            summary.error = e.what();
        }
        list.push_back(std::move(summary));
    }
    return list;
}

}  // namespace aotscope
