#include "session/session.h"

#include "aten/limited_allocator.h"
#include "aten/thread_limit.h"
#include "compile/captured_graph.h"
#include "compile/compilers.h"
#include "cost/book/known_operators.h"
#include "device/device.h"
#include "distributed/collective_kernels.h"
#include "io/session/model_reference.h"
#include "io/session/requested_code.h"
#include "load/library.h"
#include "load/model.h"
#include "load/torch_messages.h"
#include "ops/collective_gradients.h"
#include "ops/decompositions/decomposition.h"
#include "ops/meta_kernels.h"
#include "ops/operator_facts.h"
#include "ops/prims.h"
#include "ops/registered_operators.h"
#include "passes/pipeline.h"
#include "record/results/fallback_list.h"
#include "remote/engine_program.h"
#include "session/engine.h"
#include "session/open/executable_session.h"
#include "session/open/printed_session.h"
#include "session/open/session_saved.h"
#include "session/remote/remote_host.h"
#include "session/remote/session_remote.h"
#include "session/session_limits.h"
#include "support/budget.h"
#include "support/elapsed.h"
#include "support/mapped_file.h"
#include "support/resident_memory.h"
#include "verify/check.h"
#include "verify/foreign_job.h"
#include "verify/model_autocast.h"
#include "verify/options_world.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/api/include/torch/version.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <chrono>
#include <functional>

namespace aotscope {

namespace {

/// Completes the record with what the pipeline does not know, before anyone else sees it.
Compilation completed(Compilation compilation, const std::function<void(CompileRecord&)>& complete) {
    auto record = std::make_shared<CompileRecord>(*compilation.record);
    complete(*record);
    compilation.record = std::move(record);
    return compilation;
}

ModelInfo infoOf(const Model& model) { return {model.name, model.path, model.kind, torchVersion()}; }

/// The pipeline compiles a function without knowing its model, which observers need.
class ObserverOfModel final : public PassObserver {
public:
    ObserverOfModel(PassObserver& observer, ModelInfo model) : observer_(observer), model_(std::move(model)) {}

    void betweenPasses(const CompileRecord& record, std::string_view next, const Progress& progress) override {
        CompileRecord named = record;
        named.model = model_;
        observer_.betweenPasses(named, next, progress);
    }

private:
    PassObserver& observer_;
    ModelInfo model_;
};

struct LoadedModel {
    Model model;
    FileStamp stamp;  ///< of its file
    double ms = 0;    ///< how long it took to load
};

class TorchSession final : public ExecutableSession {
public:
    /// `said`: what LibTorch has said since loading began.
    TorchSession(const Options& options, LoadedModel loaded, const TorchWarnings& said, const Progress& progress,
                 PassObserver* observer)
        : ExecutableSession(options),
          stamp_(loaded.stamp),
          modelRun_(std::move(loaded.model), options),
          compilation_(completed(compile(progress, observer), [&](CompileRecord& record) {
              describeRun(record, loaded.ms, said);
              noteCosts(record);
              noteEagerFailure(record);
          })) {
        record_ = compilation_.record;
        files().requireWhole();
        useOptions();
    }

    const Model& model() const { return modelRun_.model(); }
    /// Whether its files still have the contents that were read.
    bool isWhole() const {
        try {
            files().requireWhole();
            return true;
        } catch (const Error&) {
            return false;
        }
    }
    bool holds(const Options& options, const FileStamp& stamp) const {
        // Definitions may have been edited.
        const bool defined = !options.definitions.empty() || !options_.definitions.empty();
        return !defined && options.model == options_.model && options.mode == options_.mode && stamp == stamp_ &&
               options.modelName == options_.modelName && options.method == options_.method &&
               options.weights == options_.weights && options.device == options_.device &&
               options.allow == options_.allow;
    }

    InputSpec inputSpec() const override { return modelRun_.describeInputs(); }
    std::vector<std::string> inputNames() const override { return modelRun_.inputNames(); }
    std::string whyNotExecutable() const override {
        const std::string device = whyDeviceCannotRun(options_.device);
        return device.empty() ? model().whyNotRun : device;
    }

    SessionContent content() const override {
        SessionContent content = contentOf(*this, reference_.get(options_.model, stamp_));
        dropUnusedPlugins(content.options.compilers, compilerList);
        return content;
    }

private:
    const MappedFileWatch& files() const { return modelRun_.model().files; }

    /// Marks options that neither loader nor pipeline read.
    void useOptions() const {
        if (!options_.given) return;
        const bool exported = model().kind == kExportedKind;
        if (exported) options_.use({"--weights", "--model-name", "--define"});
        else options_.use({"--mode", "--method"});
        if (options_.plans(GivenOptions::Purpose::run)) options_.use({"--at", "--recompile-limit"});
        GivenOptions& given = *options_.given;
        given.explain("--mode", "an exported program has one mode only, that of its export; leave it out");
        given.explain("--recompile-limit", "nothing runs here, so nothing is compiled again; leave it out");
        given.explain("--compile-id", "'" + options_.model + "' is a model, not a log of compilations; leave it out");
    }

    Compilation compile(const Progress& progress, PassObserver* observer) const {
        const auto autocast = modelAutocast(options_);
        std::optional<ObserverOfModel> ofModel;
        if (observer) ofModel.emplace(*observer, infoOf(model()));
        return compileFunction(modelRun_.function(), options_, modelRun_.dynamicShapes(), progress, nullptr,
                               ofModel ? &*ofModel : nullptr);
    }

    void describeRun(CompileRecord& record, double loadMs, const TorchWarnings& said) const {
        const Model& model = modelRun_.model();
        record.model = infoOf(model);
        record.times.load = loadMs;
        record.warnings.insert(record.warnings.begin(), model.warnings.begin(), model.warnings.end());
        record.fellBack.insert(record.fellBack.begin(), model.fellBack.begin(), model.fellBack.end());
        if (const std::string why = whyDeviceCannotRun(options_.device); !why.empty()) record.fellBack.push_back(why);
        record.warnings.insert(record.warnings.end(), said.sentences().begin(), said.sentences().end());
    }

    void noteCosts(CompileRecord& record) const {
        record.costs = knownCosts(record, options_.device);
        if (const std::string note = operatorBookNote(options_.device); !note.empty()) record.notes.push_back(note);
    }

    void noteEagerFailure(CompileRecord& record) const {
        if (record.error.empty() || !whyNotExecutable().empty()) return;
        record.error += eagerFailsUnderAutocast(modelRun_, options_);
    }

    Runnable runnable(const Progress& /*progress*/) const override {
        if (!compilation_.function) throw Error(compilation_.record->error);
        if (const std::string why = whyNotExecutable(); !why.empty()) throw Error(why);
        return {modelRun_, compilation_, options_};
    }
    const ConstantTable& constantsOf(GraphKind kind) const override { return compilation_.constants.of(kind); }

    Compilation recompile(const std::vector<c10::IValue>& leaves, std::size_t compilation,
                          const Progress& progress) const override {
        Options options = options_;
        options.inference = !at::GradMode::is_enabled();
        return completed(compileFunction(modelRun_.function().withExample(leaves), options, {}, progress),
                         [&](CompileRecord& record) {
                             record.model = compilation_.record->model;
                             record.compilation = compilation;
                         });
    }

    FileStamp stamp_;
    CachedReference reference_;
    ModelRun modelRun_;
    Compilation compilation_;
};

/// Loads the file, or creates the sample, in `options`.
Model loadWithin(const Options& options) {
    ForeignRun run("loading the model");
    try {
        return loadModel(options.model, options.mode,
                         {options.weights, options.method, options.modelName, options.allow,
                          c10::Device(options.device), options.definitions});
    } catch (const std::exception&) {
        run.rethrow();
        throw;
    }
}

std::shared_ptr<const Session> openTorch(const Options& options, const Progress& progress,
                                         const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    const TorchWarnings said;
    const auto stamp = fileStamp(options.model);
    if (const auto* same = dynamic_cast<const TorchSession*>(previous.get());
        same && same->holds(options, stamp) && same->isWhole())
        return std::make_shared<TorchSession>(options, LoadedModel{same->model(), stamp}, said, progress, observer);
    progress.enter("load");
    const auto start = std::chrono::steady_clock::now();
    LoadedModel loaded{loadWithin(options), stamp};
    loaded.ms = msSince(start);
    return std::make_shared<TorchSession>(options, std::move(loaded), said, progress, observer);
}

std::shared_ptr<const Session> openAny(const Options& options, const Progress& progress,
                                       const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    const ModelSource source = recogniseModel(options);
    if (source == ModelSource::remote || !isEngineFor(options.torch, torchVersion()))
        return openOn(hostOf(options, previous.get()), options, progress, previous, observer);
    if (!options.torch.empty()) options.use("--torch");
    prepareDevice(options.device);
    if (const std::string why = options.deviceGraphs ? whyNoCapture(c10::Device(options.device).type()) : "";
        !why.empty() && whyDeviceCannotRun(options.device).empty())
        throw UsageError("--cuda-graphs: " + why);
    if (name(options.autocast).starts_with("cuda") && options.device == "cpu")
        throw UsageError("--autocast " + std::string(name(options.autocast)) +
                         ": the model runs on cpu; give --device cuda, or --autocast cpu:bfloat16");
    if (options.crossCheckFake && !whyDeviceCannotRun(options.device).empty())
        throw UsageError("--cross-check-fake: " + whyDeviceCannotRun(options.device));
    requireSound(options.world);
    const OptionsWorld world(options);
    if (auto saved = openSaved(engineHere(), options, source, progress, previous)) return saved;
    const MappedFileWatch files;
    try {
        options.use({"--time-limit", "--memory-limit", "--allow", "--library"});
        return foreignJob(Budget(progress, limitsFor(options)), options.allow, [&] {
            runUnconfined([&] { loadLibraries(options.libraries); });  // libraries given by the user
            auto printed = mayBePrinted(source) ? openPrinted(options, source, progress, previous, observer) : nullptr;
            return printed ? printed : openTorch(options, progress, previous, observer);
        });
    } catch (const Cancelled&) {
        throw;
    } catch (...) {
        files.requireWhole();  // otherwise this is only a consequence
        throw;
    }
}

}  // namespace

std::shared_ptr<const Session> Session::open(const Options& options, const Progress& progress,
                                             const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    if (options.decompositions) options.decompositions->requireFit(allDecompositionRules());
    auto session = openAny(options, progress, previous, observer);
    requireNoFallback(*session->record(), options);
    return session;
}

void initializeTorch() {
    // Operations run one by one as written: no profiling, no fusion by TorchScript's own optimizer.
    torch::jit::getExecutorMode() = false;
    torch::jit::getProfilingMode() = false;
    torch::jit::setGraphExecutorOptimize(false);
    torch::jit::overrideCanFuseOnCPU(false);
    torch::jit::setTensorExprFuserEnabled(false);
    setTorchLog(false);
    setTorchPrint();
    registerMetaKernels();
    registerPrims();
    registerCollectiveKernels();
    registerCollectiveGradients();
    setOperatorSource(registeredRow);
    limitTensorMemory();
    keepFreedMemory();
    keepThreadsToQuota();
}

void showTorchLog() { setTorchLog(true); }

std::string torchVersion() { return TORCH_VERSION; }

}  // namespace aotscope
