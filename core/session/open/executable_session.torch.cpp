#include "session/open/executable_session.h"

#include "compile/torchscript/torchscript.h"
#include "cost/book/known_operators.h"
#include "cost/book/record_costs.h"
#include "debug/minify.h"
#include "debug/step_debugger.h"
#include "execute/out_of_memory.h"
#include "record/record_at.h"
#include "record/results/fallback_list.h"
#include "support/file.h"
#include "support/machine/brief_waits.h"
#include "verify/bisect.h"
#include "verify/check.h"
#include "verify/foreign_job.h"
#include "verify/measure/operators_alone.h"
#include "verify/measure/run_memory.h"
#include "verify/measure/step_moments.h"
#include "verify/measure/timing.h"
#include "verify/model_autocast.h"
#include "verify/options_world.h"
#include "verify/record_example.h"
#include "verify/values_file.h"

namespace aotscope {

namespace {

/// Turns LibTorch's own errors into ours.
template <typename Runnable, typename Job>
auto inOneSentence(const Runnable& run, Job&& job) {
    try {
        return job();
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        if (isOutOfMemory(e)) throw Error(outOfMemoryText(e, "while running the model", {}));
        throw Error("running the model failed: " + firstSentence(e.what()) + (run.advice.empty() ? "" : "; ") +
                    run.advice + eagerFailsUnderAutocast(run.modelRun, run.options));
    }
}

/// Runs `job`, which needs no memory for values, like foreignJob, until its result is no longer needed. Checks that the
/// model's files were intact while it read them and, if the options are strict, that all graphs ran as requested.
template <typename Runnable, typename Job>
auto planned(const Runnable& run, const Progress& progress, Job&& job) {
    const Options& options = run.options;
    const MappedFileWatch& files = run.modelRun.model().files;
    const OptionsWorld world(options);
    try {
        auto result = foreignJob(Budget(progress), options.allow, [&] {
            const auto autocast = modelAutocast(options);
            return inOneSentence(run, job);
        });
        files.requireWhole();
        requireNoFallback(run.compilation.function->compilers(), options);
        return result;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception&) {
        files.requireWhole();
        throw;
    }
}

/// The same for a job that runs the graphs, as a good neighbour of what else the machine does.
template <typename Runnable, typename Job>
auto translated(const Runnable& run, const Progress& progress, Job&& job) {
    if (const std::string why = whyNoRoom(*run.compilation.record, run.options); !why.empty()) throw Error(why);
    const BriefWaits waits;
    return planned(run, progress, std::forward<Job>(job));
}

}  // namespace

std::vector<CompilerUse> ExecutableSession::compilers(const Progress& progress) const {
    const Runnable run = runnable(progress);
    return planned(run, progress, [&] {
        const auto& function = run.compilation.function;
        progress.enter("compile");
        if (run.compilation.record->partition) function->backward();
        return function->compilers();
    });
}

CheckResult ExecutableSession::check(const Progress& progress) const {
    const Runnable run = runnable(progress);
    return translated(run, progress, [&] {
        CompileCache cache = compilations(run, progress);
        CheckResult result =
            checkAgainstEager(run.modelRun, cache, run.compilation.record->symbols, run.options, progress);
        requireNoFallback(result, run.options);
        return result;
    });
}

BisectResult ExecutableSession::bisect(const Progress& progress) const {
    const Runnable run = runnable(progress);
    return translated(run, progress, [&] {
        BisectResult result = bisectAgainstEager(run.modelRun, run.compilation, run.options, progress);
        requireNoFallback(result, run.options);
        return result;
    });
}

TimingResult ExecutableSession::time(const TimingOptions& timing, const Progress& progress) const {
    const Runnable run = runnable(progress);
    const CompileRecord& record = *run.compilation.record;
    TimingResult result = translated(run, progress, [&] {
        return timeAgainstEager(run.modelRun, *run.compilation.function, record, run.options, timing, progress);
    });
    keepOperators(run.options.device, entriesOf(result, record));
    return result;
}

MeasuredOperators ExecutableSession::measureOperators(const Progress& progress) const {
    const Runnable run = runnable(progress);
    const std::string& device = run.options.device;
    const CompileRecord& record = *run.compilation.record;
    const auto book = operatorBook(device);
    std::vector<OperatorEntry> news;  // also of a job that is cancelled; it may not write files itself
    const BriefWaits waits;
    MeasuredOperators found;
    try {
        found = planned(run, progress, [&] {
            return measureAlone(
                record, *book, device, [&](const OperatorEntry& entry) { news.push_back(entry); }, progress);
        });
    } catch (...) {
        keepOperators(device, news);
        throw;
    }
    keepOperators(device, news);
    return found;
}

OperatorCosts ExecutableSession::operatorCosts(const SymbolValues& sizes, const Progress& progress) const {
    const Runnable run = runnable(progress);
    const CompileRecord& record = *run.compilation.record;
    return *knownCosts(sizes.empty() ? record : *recordAt(record, sizes), run.options.device);
}

VariantTiming ExecutableSession::timeAgainst(const Executable& other, const TimingOptions& timing,
                                             const Progress& progress) const {
    const Runnable run = runnable(progress);
    return translated(run, progress, [&] {
        const auto* second = dynamic_cast<const ExecutableSession*>(&other);
        if (!second)
            throw Error(
                "both have to run on the same machine with the same torch to be timed together; time each of "
                "them");
        const Runnable there = second->runnable(progress);
        VariantTiming result =
            timeVariants({run.modelRun, *run.compilation.function, run.options},
                         {there.modelRun, *there.compilation.function, there.options}, timing, progress);
        requireNoFallback(there.compilation.function->compilers(), there.options);
        return result;
    });
}

void ExecutableSession::saveTorchScript(const Graph& graph, GraphKind kind, TorchScriptForm form,
                                        const std::filesystem::path& file) const {
    const ConstantTable& constants = constantsOf(kind);
    if (form == TorchScriptForm::module) aotscope::saveTorchScript(graph, constants, file);
    else writeFileAtomically(file, torchScriptText(graph, constants));
}

void ExecutableSession::saveValues(const std::filesystem::path& file, const Progress& progress) const {
    const Runnable run = runnable(progress);
    progress.enter("run");
    const std::string bytes =
        translated(run, progress, [&] { return valuesFile(run.modelRun, *run.compilation.function, run.options); });
    writeFileAtomically(file, bytes);
}

GraphExample ExecutableSession::example(const Graph& graph, GraphKind kind, ExampleValues values,
                                        const Progress& progress) const {
    const Runnable run = runnable(progress);
    if (const std::string room = whyNoRoom(*run.compilation.record, run.options); !room.empty())
        return exampleWithoutValues(room, values);
    progress.enter("what the graph is called with");
    return translated(run, progress, [&] {
        auto inputs = argumentsOf(graph, kind, run.modelRun, run.compilation, run.options);
        if (!inputs) return exampleWithoutValues("it takes other inputs than the compiled graphs", values);
        const ExampleRun called = values == ExampleValues::all
                                      ? runExample(graph, kind, std::move(*inputs), run.compilation, run.options)
                                      : ExampleRun{std::move(*inputs), &run.compilation.constants.of(kind), {}, {}};
        if (!called.error.empty()) throw Error("--values: the graph fails: " + called.error);
        const bool readsData = run.compilation.record->dataKernels > 0;
        return exampleOf(graph, called, run.options.seed, values, readsData);
    });
}

MinifyResult ExecutableSession::minify(const MinifyOptions& wanted, const Progress& progress) const {
    const Runnable run = runnable(progress);
    return translated(run, progress,
                      [&] { return aotscope::minify(run.modelRun, run.compilation, run.options, wanted, progress); });
}

std::shared_ptr<Debugger> ExecutableSession::debug(const Progress& progress) const {
    const Runnable run = runnable(progress);
    progress.enter("what the graphs are called with");
    const std::shared_ptr<const ModelRun> modelRun(shared_from_this(), &run.modelRun);
    return translated(run, progress, [&] {
        auto stepped =
            std::make_shared<StepDebugger>(modelRun, run.compilation, run.options, !mayDoAll(run.options.allow));
        requireNone(stepped->fallbacks(), run.options);
        return stepped;
    });
}

TrainResult ExecutableSession::train(const TrainOptions& training, const Progress& progress,
                                     const TrainListener& listener) const {
    const Runnable run = runnable(progress);
    return translated(run, progress, [&] {
        CompileCache cache = compilations(run, progress);
        TrainResult result =
            trainAgainstEager({run.modelRun, cache, run.options, run.held}, training, progress, listener);
        requireNoFallback(result.compilers, run.options);
        return result;
    });
}

std::vector<StepMoment> ExecutableSession::stepMoments(const std::function<std::chrono::nanoseconds()>& waited,
                                                       const Progress& progress) const {
    const Runnable run = runnable(progress);
    progress.enter("timeline");
    return translated(run, progress, [&] {
        return aotscope::stepMoments(run.modelRun, *run.compilation.function, *run.compilation.record, run.options,
                                     waited);
    });
}

/// The existing one, and those that other inputs will need.
CompileCache ExecutableSession::compilations(const Runnable& run, const Progress& progress) const {
    return {run.compilation.function,
            [this, &progress, compilation = std::size_t{0}](const auto& leaves) mutable {
                return recompile(leaves, ++compilation, progress);
            },
            run.options.recompileLimit};
}

}  // namespace aotscope
