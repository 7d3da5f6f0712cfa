#include "session/session_printed.h"

#include "io/session/model_reference.h"
#include "load/printed/unknown_kinds.h"
#include "passes/printed_record.h"
#include "session/session_saved.h"
#include "support/input_file.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr const char* kNotExecutable =
    "printed graphs have no parameters and no inputs: they can be looked at and split, not run; open the model itself";

class PrintedSession final : public Session {
public:
    PrintedSession(const Options& options, std::shared_ptr<const LogIndex> index, FileStamp stamp,
                   const Progress& progress)
        : options_(options),
          index_(std::move(index)),
          stamp_(stamp),
          record_(makePrintedRecord(options, *index_, progress)) {
        options_.compileId = chooseCompile(*index_, options.compileId).id;
    }

    bool holds(const Options& options, const FileStamp& stamp) const {
        return options.model == options_.model && stamp == stamp_;
    }
    const std::shared_ptr<const LogIndex>& index() const { return index_; }

    const Options& options() const override { return options_; }
    std::shared_ptr<const CompileRecord> record() const override { return record_; }
    InputSpec inputSpec() const override { return {}; }
    std::vector<std::string> inputNames() const override { return {}; }
    std::vector<std::string> compileIds() const override {
        std::vector<std::string> ids;
        for (const auto& compile : index_->compiles) ids.push_back(compile.id);
        return ids;
    }
    std::string whyNotCompiled() const override { return kNotExecutable; }
    std::string whyNotExecutable() const override { return kNotExecutable; }
    SessionContent content() const override { return contentOf(*this, reference_.get(options_.model, stamp_)); }

    std::vector<CompilerUse> compilers(const Progress&) const override { throw Error(kNotExecutable); }
    CheckResult check(const Progress&) const override { throw Error(kNotExecutable); }
    BisectResult bisect(const Progress&) const override { throw Error(kNotExecutable); }
    TimingResult time(const TimingOptions&, const Progress&) const override { throw Error(kNotExecutable); }
    VariantTiming timeAgainst(const Session&, const TimingOptions&, const Progress&) const override {
        throw Error(kNotExecutable);
    }
    void saveTorchScript(const Graph&, GraphKind, TorchScriptForm, const std::filesystem::path&) const override {
        throw Error(kNotExecutable);
    }
    std::shared_ptr<Debugger> debug(const Progress&) const override { throw Error(kNotExecutable); }
    TrainResult train(const TrainOptions&, const Progress&, const TrainListener&) const override {
        throw Error(kNotExecutable);
    }

private:
    Options options_;
    std::shared_ptr<const LogIndex> index_;
    FileStamp stamp_;
    CachedReference reference_;
    std::shared_ptr<const CompileRecord> record_;
};

/// Null when there is nothing printed in the file.
std::shared_ptr<const LogIndex> openLog(const std::string& model, const Progress& progress) {
    progress.enter("index");
    auto index = std::make_shared<LogIndex>(indexLog(model, progress));
    if (index->compiles.empty() && index->trace)
        throw Error("'" + model +
                    "' is a TORCH_TRACE log without graphs: nothing was compiled while it was written, or "
                    "the results came from a cache; run again with TORCHINDUCTOR_FORCE_DISABLE_CACHES=1");
    if (index->compiles.empty()) return nullptr;
    resolveUnknown(*index);
    return index;
}

}  // namespace

std::shared_ptr<const Session> openPrinted(const Options& options, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous) {
    if (!looksLikeText(options.model)) return nullptr;
    const auto stamp = fileStamp(options.model);
    const auto* same = dynamic_cast<const PrintedSession*>(previous.get());
    auto index = same && same->holds(options, stamp) ? same->index() : openLog(options.model, progress);
    if (!index) return nullptr;
    progress.enter("graphs");
    return std::make_shared<PrintedSession>(options, std::move(index), stamp, progress);
}

std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress) {
    const InputFile readable(path);  // or it says why not
    const auto index = looksLikeText(path) ? openLog(path.string(), progress) : nullptr;
    if (!index)
        throw Error("'" + path.string() +
                    "' holds no printed graphs; expected a log written with TORCH_LOGS=aot_graphs, " +
                    "TORCH_TRACE or gm.print_readable()");
    std::vector<PrintedSummary> list;
    for (const auto& compile : index->compiles) {
        progress.throwIfCancelled();
        PrintedSummary summary{compile.id, {}, {}};
        try {
            const auto family = readFamily(*index, compile);
            for (const auto& [kind, graph] : family.graphs)
                summary.graphs.emplace_back(std::string(name(kind)), graph->callCount());
            for (const auto& graph : family.preGrad) summary.graphs.emplace_back("pre-grad", graph->callCount());
            for (const auto& graph : family.postGrad) summary.graphs.emplace_back("post-grad", graph->callCount());
        } catch (const Error& e) {
            summary.error = e.what();
        }
        list.push_back(std::move(summary));
    }
    return list;
}

}  // namespace aotscope
