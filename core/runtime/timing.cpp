#include "runtime/timing.h"

#include "runtime/memory_meter.h"
#include "support/error.h"

#include <ATen/ThreadLocalState.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// One forward and backward; times in milliseconds.
struct Lap {
    double forward = 0, backward = 0;
    bool ranBackward = false;
};

using Callable = std::function<std::vector<c10::IValue>(const std::vector<c10::IValue>&)>;

/// A function with arguments of its own, run again and again.
class Runner {
public:
    Runner(const Workload& workload, const Options& options, Callable function)
        : workload_(workload), options_(options), function_(std::move(function)) {}

    // Non-leaf inputs carry the graph of how they were derived; a backward frees it, so they are made anew.
    Lap lap() { return run(workload_.arguments(/*ownState=*/false)); }

    /// The most that one lap allocates, beside its arguments; `metered` has the meter meanwhile.
    std::int64_t peakBytes(MemoryMeter*& metered) {
        const RunArguments arguments = workload_.arguments(/*ownState=*/false);
        MemoryMeter meter;
        metered = &meter;
        run(arguments);
        metered = nullptr;
        return meter.peak();
    }

    /// What a forward leaves behind for its backward, beside its outputs.
    std::int64_t savedBytes() {
        const RunArguments arguments = workload_.arguments(/*ownState=*/false);
        if (options_.inference) return 0;
        const at::AutoGradMode grad(true);
        const MemoryMeter meter;
        std::vector<c10::IValue> outputs = function_(arguments.leaves);
        const std::int64_t withHistory = meter.bytes();
        for (auto& output : outputs)
            if (output.isTensor() && output.toTensor().defined()) output = output.toTensor().detach();
        return withHistory - meter.bytes();
    }

private:
    Lap run(const RunArguments& arguments) {
        const at::AutoGradMode grad(!options_.inference);
        Lap lap;
        auto start = Clock::now();
        std::vector<c10::IValue> outputs = function_(arguments.leaves);
        lap.forward = msSince(start);
        if (options_.inference) return lap;
        if (tangents_.empty()) tangents_ = backwardStart(outputs).tangents;
        const auto selected = backwardStartOutputs(outputs);
        outputs.clear();
        if (selected.empty() || arguments.differentiable.empty()) return lap;
        start = Clock::now();
        const auto gradients =
            torch::autograd::grad(selected, arguments.differentiable, tangents_, false, false, /*allow_unused=*/true);
        lap.backward = msSince(start);
        lap.ranBackward = true;
        return lap;
    }

    static std::vector<at::Tensor> backwardStartOutputs(const std::vector<c10::IValue>& outputs) {
        std::vector<at::Tensor> selected;
        for (const auto& output : outputs)
            if (output.isTensor() && output.toTensor().defined() && output.toTensor().requires_grad() &&
                output.toTensor().grad_fn())
                selected.push_back(output.toTensor());
        return selected;
    }

    const Workload& workload_;
    const Options& options_;
    Callable function_;
    std::vector<at::Tensor> tangents_;
};

/// Collects the time of every step over all runs.
class StepClock final : public StepObserver {
public:
    explicit StepClock(std::size_t steps) : times_(steps) {}
    void before(std::size_t) override { start_ = Clock::now(); }
    void after(std::size_t step) override { times_[step].push_back(msSince(start_) * 1000); }
    const std::vector<std::vector<double>>& times() const { return times_; }

private:
    Clock::time_point start_;
    std::vector<std::vector<double>> times_;
};

/// Collects what is allocated while each step runs.
class StepMemory final : public StepObserver {
public:
    StepMemory(std::size_t steps, MemoryMeter* const& meter) : bytes_(steps), meter_(meter) {}
    void before(std::size_t) override { meter_->startLap(); }
    void after(std::size_t step) override { bytes_[step] = meter_->lapPeak(); }
    std::int64_t bytes(std::size_t step) const { return bytes_[step]; }

private:
    std::vector<std::int64_t> bytes_;
    MemoryMeter* const& meter_;
};

void addSteps(std::vector<StepTime>& steps, const std::string& graphName, const Graph& graph,
              const CompiledGraph& compiled, const StepClock& clock, const StepMemory& memory) {
    std::unordered_map<NodeId, const Node*> byId;
    for (const Node* node : graph.nodes()) byId[node->id()] = node;
    for (std::size_t i = 0; i < compiled.steps().size(); ++i) {
        const Node& node = *byId.at(compiled.steps()[i]);
        steps.push_back({graphName, i, node.id(), node.name(), node.op(), spreadOf(clock.times()[i]).median,
                         node.type.tensorBytes(), memory.bytes(i)});
    }
}

}  // namespace

Spread spreadOf(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto n = values.size();
    const double median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    return {values.front(), median, values.back()};
}

TimingResult timeAgainstEager(const Workload& workload, const CompiledFunction& compiled, const CompileRecord& record,
                              const Options& options, int iterations, const Progress& progress) {
    if (iterations < 1) throw UsageError("--time " + std::to_string(iterations) + ": at least 1 iteration is expected");
    TimingResult result;
    result.iterations = iterations;
    StepObserver *forwardObserver = nullptr, *backwardObserver = nullptr;
    Runner eager(workload, options, [&](const auto& leaves) { return workload.function()(leaves).leaves; });
    Runner aot(workload, options, [&](const auto& leaves) {
        return compiled.run(leaves, {forwardObserver, backwardObserver});
    });

    progress.enter("warm-up");
    eager.lap();
    result.backward = aot.lap().ranBackward;
    std::vector<double> ef, eb, cf, cb;
    for (int i = 0; i < iterations; ++i) {
        progress.enter("run " + std::to_string(i + 1) + " of " + std::to_string(iterations));
        const Lap e = eager.lap(), c = aot.lap();
        ef.push_back(e.forward);
        eb.push_back(e.backward);
        cf.push_back(c.forward);
        cb.push_back(c.backward);
    }
    result.eagerForwardMs = spreadOf(ef);
    result.eagerBackwardMs = spreadOf(eb);
    result.compiledForwardMs = spreadOf(cf);
    result.compiledBackwardMs = spreadOf(cb);

    progress.enter("steps");
    StepClock forward(compiled.forward().steps().size()),
        backward(result.backward ? compiled.backward().steps().size() : 0);
    forwardObserver = &forward;
    backwardObserver = &backward;
    for (int i = 0; i < iterations; ++i) aot.lap();

    progress.enter("memory");
    MemoryMeter* meter = nullptr;
    StepMemory forwardMemory(forward.times().size(), meter), backwardMemory(backward.times().size(), meter);
    forwardObserver = &forwardMemory;
    backwardObserver = &backwardMemory;
    result.compiledPeakBytes = aot.peakBytes(meter);
    result.eagerPeakBytes = eager.peakBytes(meter);
    forwardObserver = backwardObserver = nullptr;
    result.compiledSavedBytes = aot.savedBytes();
    result.eagerSavedBytes = eager.savedBytes();
    const auto kind = compiled.metadata().needsAutograd ? GraphKind::forward : GraphKind::inference;
    addSteps(result.steps, std::string(name(kind)), *record.graph(kind), compiled.forward(), forward, forwardMemory);
    if (result.backward)
        addSteps(result.steps, "backward", *record.graph(GraphKind::backward), compiled.backward(), backward,
                 backwardMemory);
    result.compilers = compiled.compilers();
    return result;
}

}  // namespace aotscope
