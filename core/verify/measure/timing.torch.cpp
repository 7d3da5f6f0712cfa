#include "verify/measure/timing.h"

#include "aten/random_state.h"
#include "aten/thread_limit.h"
#include "ir/id_table.h"
#include "support/error.h"
#include "support/machine/cores.h"
#include "verify/measure/operation_memory.h"
#include "verify/measure/result_memory.h"
#include "verify/measure/runner.h"

#include <ATen/Parallel.h>

#include <array>
#include <numeric>

namespace aotscope {

namespace {

/// How long each step takes, over all runs. A step lasts from the end of the previous one to its own end.
class StepClock final : public StepObserver {
public:
    explicit StepClock(c10::Device device) : timer_(device) {}
    void arguments(c10::ArrayRef<c10::IValue>) override { timer_.mark(); }
    void before(std::size_t) override {}
    void after(std::size_t) override { timer_.mark(); }
    /// Call between runs.
    void endIteration() {
        const std::vector<double> us = timer_.take();
        if (us.empty()) return;
        times_.resize(std::max(times_.size(), us.size()));
        for (std::size_t i = 0; i < us.size(); ++i) times_[i].push_back(us[i]);
        sumsMs_.push_back(std::accumulate(us.begin(), us.end(), 0.0) / 1000);
    }
    Spread us(std::size_t step) const { return step < times_.size() ? spreadOf(times_[step]) : Spread(); }
    /// The sum of all steps, by iteration.
    const std::vector<double>& sumsMs() const { return sumsMs_; }
    /// What reading the clock adds to an iteration.
    double costMs() const { return static_cast<double>(times_.size() + 1) * timer_.cost() / 1000; }

private:
    DeviceTimer timer_;
    std::vector<std::vector<double>> times_;
    std::vector<double> sumsMs_;
};

/// How long the graphs take, over all runs.
class GraphClock final : public GraphObserver {
public:
    explicit GraphClock(c10::Device device) : timers_{DeviceTimer(device), DeviceTimer(device)} {}
    void before(bool backward) override { timers_.at(backward).mark(); }
    void after(bool backward) override { timers_.at(backward).mark(); }
    void endIteration() {
        for (const bool backward : {false, true})
            if (const std::vector<double> us = timers_.at(backward).take(); !us.empty())
                ms_.at(backward).push_back(us.front() / 1000);
    }
    /// By iteration.
    const std::vector<double>& ms(bool backward) const { return ms_.at(backward); }
    double cost() const { return timers_[0].cost(); }

private:
    std::array<DeviceTimer, 2> timers_;
    std::array<std::vector<double>, 2> ms_;
};

/// Records what is allocated during each step.
class StepMemory final : public StepObserver {
public:
    StepMemory(std::size_t steps, MemoryMeter* const& meter) : operations_(steps), peaks_(steps), meter_(meter) {}
    void before(std::size_t step) override {
        if (meter_) operations_[step].start(*meter_);
    }
    void results(std::size_t step, c10::ArrayRef<c10::IValue> values) override {
        if (meter_) operations_[step].end(*meter_, values);
    }
    void after(std::size_t step) override {
        if (meter_) peaks_[step] = meter_->iterationPeak();
    }
    std::int64_t peak(std::size_t step) const { return peaks_[step]; }
    const OperationMemory& of(std::size_t step) const { return operations_[step]; }

private:
    std::vector<OperationMemory> operations_;
    std::vector<std::int64_t> peaks_;  ///< of all memory, until the next step
    MemoryMeter* const& meter_;        ///< null: this run does not count
};

/// A compiled function being measured: without observation, step by step, and its memory.
class Observed {
public:
    Observed(const ModelRun& modelRun, const CompiledFunction& compiled, const Options& options)
        : compiled_(compiled),
          device_(options.device),
          runner_(modelRun, options,
                  [this](const auto& leaves) {
                      occupy(device_, aheadMs_);
                      return compiled_.run(leaves, observers_);
                  }),
          plain_(device_),
          stepwise_(device_),
          forward_(device_),
          backward_(device_) {}

    Iteration iterate() {
        observers_ = {nullptr, nullptr, &plain_};
        const Iteration iteration = runner_.iterate();
        plain_.endIteration();
        iterationMs_ = iteration.forward + iteration.backward;
        return iteration;
    }

    /// Except on the CPU, keeps the device busy until all steps are issued: their times are those of kernels.
    void iterateStepwise() {
        observers_ = {&forward_, &backward_, &stepwise_};
        aheadMs_ = 2 * iterationMs_;
        runner_.iterate();
        aheadMs_ = 0;
        stepwise_.endIteration();
        forward_.endIteration();
        backward_.endIteration();
    }

    /// Discards the results of warm-up runs.
    void forget() {
        for (GraphClock* clock : {&plain_, &stepwise_}) *clock = GraphClock(device_);
        for (StepClock* clock : {&forward_, &backward_}) *clock = StepClock(device_);
    }

    void addTo(TimingResult& result, const CompileRecord& record) {
        MemoryMeter* meter = nullptr;
        const GraphKind kind = executedGraphs(record).front();
        StepMemory forward(compiled_.forward().steps().size(), meter),
            backward(result.backward ? compiled_.backward().steps().size() : 0, meter);
        observers_ = {&forward, &backward, nullptr};
        result.compiledPeakBytes = runner_.peakBytes(meter);
        observers_ = {};
        result.compiledSavedBytes = runner_.savedBytes();
        result.clockUs = plain_.cost();
        add(result, *record.graph(kind), kind, forward_, forward);
        if (result.backward) add(result, *record.graph(GraphKind::backward), GraphKind::backward, backward_, backward);
    }

private:
    void add(TimingResult& result, const Graph& graph, GraphKind kind, const StepClock& clock,
             const StepMemory& memory) const {
        const bool backward = &clock == &backward_;  // a printed backward may run alone
        const std::vector<NodeId>& steps = backward ? compiled_.backward().steps() : compiled_.forward().steps();
        const std::vector<double>&plain = plain_.ms(backward), &observed = stepwise_.ms(backward);
        GraphTime total{kind, spreadOf(plain), spreadOf(observed), 0, {}, {}};
        std::vector<double> withoutClock = observed;
        for (double& ms : withoutClock) ms -= clock.costMs();
        total.stepsRatio = pairedRatio(withoutClock, clock.sumsMs());
        total.observedRatio = pairedRatio(plain, observed);
        const NodesById byId = nodesById(graph);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Node& node = *byId.at(steps[i]);
            const Spread us = clock.us(i);
            result.steps.push_back({total.graph, i, node.id(), node.name(), node.op(), us.median,
                                    node.type.tensorBytes(), memory.peak(i), us.lower, us.upper, memory.of(i).inner(),
                                    beyondTypes(node, memory.of(i).made())});
            total.stepsMs += us.median / 1000;
        }
        result.graphs.push_back(std::move(total));
    }

    const CompiledFunction& compiled_;
    c10::Device device_;
    CompiledFunction::Observers observers_;
    Runner runner_;
    GraphClock plain_, stepwise_;
    StepClock forward_, backward_;
    double iterationMs_ = 0, aheadMs_ = 0;  ///< of the last plain iteration; how long a device is kept busy before one
};

void requireLaps(const TimingOptions& timing) {
    if (timing.iterations < 1)
        throw UsageError("--time " + std::to_string(timing.iterations) + ": expected at least 1 iteration");
    if (timing.warmUps < 0) throw UsageError("--warm-up " + std::to_string(timing.warmUps) + ": expected 0 or more");
}

/// Runs each of `iterations` as often as `timing` says, interleaved in all orders: a round in one direction, the next
/// in the other, then both starting with the next iteration. So none always follows the same one, or finds its caches.
/// Calls `warm` between warm-up and measured runs.
template <std::size_t count>
void runInTurn(const std::array<std::function<void()>, count>& iterations, const std::function<void()>& warm,
               const TimingOptions& timing, const Progress& progress) {
    const auto round = [&](int number) {
        const auto first = static_cast<std::size_t>(number / 2);
        for (std::size_t i = 0; i < count; ++i) iterations[(first + (number % 2 == 0 ? i : count - 1 - i)) % count]();
    };
    for (int i = 0; i < timing.warmUps; ++i) {
        progress.enter(stageOf("warm-up", i + 1, timing.warmUps));
        round(0);
    }
    warm();
    for (int i = 0; i < timing.iterations; ++i) {
        progress.enter(stageOf("run", i + 1, timing.iterations));
        round(i);
    }
}

/// The load while `a` and `b` were measured. Other ranks make a thread wait, too, and a GPU does the work of its own.
MachineLoad loadDuring(const Iterations& a, const Iterations& b, const ThreadLimit& limit, const Options& options) {
    MachineLoad load{1, at::get_num_threads(), limit.usualThreads()};
    if (options.device == "cpu" && options.world.size <= 1 && a.onCore + b.onCore > 0)
        load.waiting = (a.ms + b.ms) / (a.onCore + b.onCore);
    return load;
}

VariantTiming::Part partOf(const std::vector<double>& first, const std::vector<double>& second) {
    return {spreadOf(first), spreadOf(second), pairedRatio(first, second)};
}

}  // namespace

TimingResult timeAgainstEager(const ModelRun& modelRun, const CompiledFunction& compiled, const CompileRecord& record,
                              const Options& options, const TimingOptions& timing, const Progress& progress) {
    requireLaps(timing);
    const RandomStateGuard kept;
    const ThreadLimit limit(freeCores());  // more threads than cores would wait for each other
    Runner eager(modelRun, options, [&](const auto& leaves) { return modelRun.function()(leaves).leaves; });
    Observed observed(modelRun, compiled, options);
    Iterations eagerIterations, iterations;
    runInTurn<3>(
        {[&] { eagerIterations.add(eager.iterate()); }, [&] { iterations.add(observed.iterate()); },
         [&] { observed.iterateStepwise(); }},
        [&] {
            eagerIterations = iterations = {};
            observed.forget();
        },
        timing, progress);
    TimingResult result;
    result.iterations = timing.iterations;
    result.warmUps = timing.warmUps;
    result.backward = iterations.ranBackward;
    result.load = loadDuring(eagerIterations, iterations, limit, options);
    const VariantTiming::Part forward = partOf(eagerIterations.forward, iterations.forward),
                              backward = partOf(eagerIterations.backward, iterations.backward),
                              step = partOf(eagerIterations.step, iterations.step);
    result.eagerForwardMs = forward.firstMs, result.compiledForwardMs = forward.secondMs;
    result.eagerBackwardMs = backward.firstMs, result.compiledBackwardMs = backward.secondMs;
    result.eagerStepMs = step.firstMs, result.compiledStepMs = step.secondMs;
    result.forwardRatio = forward.ratio, result.backwardRatio = backward.ratio, result.stepRatio = step.ratio;

    progress.enter("memory");
    observed.addTo(result, record);
    MemoryMeter* meter = nullptr;
    result.eagerPeakBytes = eager.peakBytes(meter);
    result.eagerSavedBytes = eager.savedBytes();
    result.compilers = compiled.compilers();
    return result;
}

VariantTiming timeVariants(const Contestant& first, const Contestant& second, const TimingOptions& timing,
                           const Progress& progress) {
    requireLaps(timing);
    const RandomStateGuard kept;
    const ThreadLimit limit(freeCores());
    const auto runnerOf = [](const Contestant& contestant) {
        return Runner(contestant.modelRun, contestant.options,
                      [&contestant](const auto& leaves) { return contestant.compiled.run(leaves, {}); });
    };
    Runner a = runnerOf(first), b = runnerOf(second);
    Iterations aIterations, bIterations;
    runInTurn<2>(
        {[&] { aIterations.add(a.iterate()); }, [&] { bIterations.add(b.iterate()); }},
        [&] { aIterations = bIterations = {}; }, timing, progress);
    VariantTiming result;
    result.iterations = timing.iterations;
    result.warmUps = timing.warmUps;
    result.backward = aIterations.ranBackward && bIterations.ranBackward;
    result.load = loadDuring(aIterations, bIterations, limit, first.options);
    result.forwardPart = partOf(aIterations.forward, bIterations.forward);
    result.backwardPart = partOf(aIterations.backward, bIterations.backward);
    result.step = partOf(aIterations.step, bIterations.step);
    progress.enter("memory");
    MemoryMeter* meter = nullptr;
    result.firstPeakBytes = a.peakBytes(meter);
    result.secondPeakBytes = b.peakBytes(meter);
    return result;
}

}  // namespace aotscope
