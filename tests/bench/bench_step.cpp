// Forward and backward with each backend, next to the program itself in the same process, alternating iteration by
// iteration; and the cost of reaching a kernel.

#include "benchmarks.h"
#include "compile/compilers.h"
#include "passes/pipeline.h"
#include "record/results/statistics.h"
#include "step_models.h"
#include "verify/measure/runner.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/mul.h>
#include <benchmark/benchmark.h>

#include <chrono>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The latest one is kept: benchmarks run model by model.
const ModelRun& modelRunOf(const std::string& model) {
    static std::string name;
    static std::unique_ptr<const ModelRun> latest;
    if (name != model) {
        latest = std::make_unique<const ModelRun>(stepModel(model), Options{});
        name = model;
    }
    return *latest;
}

std::shared_ptr<const CompiledFunction> compile(const ModelRun& modelRun, const Options& options) {
    Compilation compilation = compileFunction(modelRun.function(), options, modelRun.dynamicShapes(), {});
    if (!compilation.function) throw Error(compilation.record->error);
    return compilation.function;
}

/// Including guards, as callers run it.
Callable calling(const std::shared_ptr<const CompiledFunction>& function) {
    return [function](const auto& leaves) { return (*function)(leaves); };
}

/// A compiled function and the time to its first step, including compilation.
class Contestant {
public:
    Contestant(const ModelRun& modelRun, const Options& options) {
        Runner(modelRun, options, calling(compile(modelRun, options))).iterate();  // code and kernels are loaded
        const auto start = Clock::now();
        function_ = compile(modelRun, options);
        runner_.emplace(modelRun, options, calling(function_));
        runner_->iterate();
        firstMs_ = millisecondsSince(start);
    }

    Runner& runner() { return *runner_; }
    /// The additional time of the first step, including compilation, over one that takes `stepMs`.
    double compileMs(double stepMs) const { return std::max(0.0, firstMs_ - stepMs); }
    /// Graphs that the interpreter had to run.
    std::string notes() const {
        std::string notes;
        for (const CompilerUse& use : function_->compilers()) notes += (notes.empty() ? "" : "; ") + use.note;
        return notes;
    }

private:
    std::shared_ptr<const CompiledFunction> function_;
    std::optional<Runner> runner_;
    double firstMs_ = 0;
};

void report(benchmark::State& state, const std::string& name, const std::vector<double>& eager,
            const std::vector<double>& compiled) {
    const Ratio ratio = pairedRatio(eager, compiled);
    state.counters["eager_" + name + "_ms"] = spreadOf(eager).median;
    state.counters["compiled_" + name + "_ms"] = spreadOf(compiled).median;
    state.counters[name + "_ratio"] = ratio.median;
    state.counters[name + "_ratio_low"] = ratio.low;
    state.counters[name + "_ratio_high"] = ratio.high;
}

/// At least `iterations` of both, and as many as fit into a second: small models need more.
void trainingStep(benchmark::State& state, const std::string& model, const std::string& compiler, int iterations) {
    constexpr double enoughMs = 1000;
    constexpr std::size_t most = 1000;
    try {
        const ModelRun& modelRun = modelRunOf(model);
        Options options{.compilers = {.forward = compiler}};
        // Operations that run one by one gain no time from recomputation: they save what eager saves.
        if (compiler != "fused") options.partition.algorithm = PartitionAlgorithm::defaultPartition;
        Contestant contestant(modelRun, options);
        Runner eager(modelRun, options, [&](const auto& leaves) { return modelRun.function()(leaves).leaves; });
        for (int i = 0; i < 2; ++i) eager.iterate(), contestant.runner().iterate();
        Iterations eagerIterations, ownIterations;
        const auto start = Clock::now();
        const auto enough = [&] {
            const auto done = eagerIterations.step.size();
            return done >= static_cast<std::size_t>(iterations) &&
                   (done >= most || millisecondsSince(start) > enoughMs);
        };
        for ([[maybe_unused]] auto _ : state) {
            while (!enough()) {
                const bool first = eagerIterations.step.size() % 2 == 0;
                if (first) eagerIterations.add(eager.iterate());
                ownIterations.add(contestant.runner().iterate());
                if (!first) eagerIterations.add(eager.iterate());
            }
            state.SetIterationTime(spreadOf(ownIterations.step).median / 1000);
        }
        report(state, "forward", eagerIterations.forward, ownIterations.forward);
        report(state, "backward", eagerIterations.backward, ownIterations.backward);
        report(state, "step", eagerIterations.step, ownIterations.step);
        state.counters["compile_ms"] = contestant.compileMs(spreadOf(ownIterations.step).median);
        MemoryMeter* meter = nullptr;
        state.counters["eager_peak_bytes"] = static_cast<double>(eager.peakBytes(meter));
        state.counters["compiled_peak_bytes"] = static_cast<double>(contestant.runner().peakBytes(meter));
        state.SetLabel(contestant.notes());
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

constexpr int kNumbers = 1000;  ///< operations in a chain

/// Microseconds for each of the operations of `run`, the median of many runs.
double eachUs(const std::function<void()>& run) {
    std::vector<double> us;
    for (int i = 0; i < 210; ++i) {
        const auto start = Clock::now();
        run();
        if (i >= 10) us.push_back(millisecondsSince(start) * 1000 / kNumbers);
    }
    return spreadOf(us).median;
}

/// The same operations, called from C++ below autograd: the time of the kernels.
void callKernels(const at::Tensor& w, at::Tensor x) {
    const at::AutoDispatchBelowADInplaceOrView plainKernels;
    for (int i = 0; i < kNumbers / 2; ++i) x = at::add(w, at::mul(w, x));
}

void chain(benchmark::State& state, const std::string& who) {
    try {
        Options options{.inference = true};
        const ModelRun modelRun(chainOfNumbers(kNumbers), options);
        const std::vector<c10::IValue> leaves = modelRun.arguments(/*ownState=*/true).leaves;
        const at::NoGradGuard noGrad;
        std::function<void()> run;
        std::shared_ptr<const CompiledFunction> function;
        if (who == "kernels") {
            run = [&] { callKernels(leaves[0].toTensor(), leaves[1].toTensor()); };
        } else if (who == "eager") {
            run = [&] { modelRun.function()(leaves); };
        } else {
            options.compilers.forward = who;
            function = compile(modelRun, options);
            run = [&] { (*function)(leaves); };
        }
        for ([[maybe_unused]] auto _ : state) {
            const double us = eachUs(run);
            state.counters["operation_us"] = us;
            state.SetIterationTime(us / 1e6);
        }
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

template <typename... Arguments>
void registerOnce(const std::string& name, Arguments&&... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), std::forward<Arguments>(arguments)...)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(1);  // the iterations are the repetitions
}

}  // namespace

void registerStepBenchmarks(int iterations) {
    std::vector<std::string> compilers;
    for (const CompilerInfo& compiler : compilerList({})) compilers.push_back(compiler.name);
    for (const std::string model : kStepModels)
        for (const std::string& compiler : compilers)
            registerOnce("step/" + model + "/" + compiler, trainingStep, model, compiler, iterations);
    compilers.insert(compilers.begin(), {"kernels", "eager"});
    for (const std::string& who : compilers) registerOnce("call/" + std::to_string(kNumbers) + "/" + who, chain, who);
}

}  // namespace aotscope
