#include "verify/measure/runner.h"

#include "support/elapsed.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

namespace aotscope {

namespace {

std::vector<at::Tensor> outputsWithGradients(const std::vector<c10::IValue>& outputs) {
    std::vector<at::Tensor> selected;
    for (const auto& output : outputs)
        if (startsBackward(output)) selected.push_back(output.toTensor());
    return selected;
}

}  // namespace

void Iterations::add(const Iteration& iteration) {
    forward.push_back(iteration.forward);
    backward.push_back(iteration.backward);
    step.push_back(iteration.forward + iteration.backward);
    ms += step.back();
    onCore += iteration.onCore;
    ranBackward = ranBackward || iteration.ranBackward;
}

Runner::Runner(const ModelRun& modelRun, const Options& options, Callable function)
    : modelRun_(modelRun), options_(options), function_(std::move(function)), timer_(c10::Device(options.device)) {}

// Non-leaf inputs have the graph of how they were derived, which a backward frees, so they are created again.
Iteration Runner::iterate() { return run(modelRun_.arguments(/*ownState=*/false)); }

Iteration Runner::run(const RunArguments& arguments) {
    const at::AutoGradMode grad(!options_.inference);
    timer_.synchronize();
    const double before = threadSeconds();
    const auto onCore = [before] { return (threadSeconds() - before) * 1000; };
    timer_.mark();
    const std::vector<c10::IValue> outputs = function_(arguments.leaves);  // which a caller keeps
    timer_.mark();
    const double forwardOnCore = onCore();
    if (!options_.inference && tangents_.empty()) tangents_ = modelRun_.startOf(outputs).tangents;
    const auto selected = options_.inference ? std::vector<at::Tensor>() : outputsWithGradients(outputs);
    if (selected.empty() || arguments.differentiable.empty())
        return {timer_.take().front() / 1000, 0, false, forwardOnCore};
    timer_.mark();
    const auto gradients =
        torch::autograd::grad(selected, arguments.differentiable, tangents_, false, false, /*allow_unused=*/true);
    timer_.mark();
    const double bothOnCore = onCore();
    const std::vector<double> us = timer_.take();
    return {us.front() / 1000, us.back() / 1000, true, bothOnCore};
}

std::int64_t Runner::peakBytes(MemoryMeter*& metered) {
    iterate();  // frees what another function's iteration may have left on the device
    const RunArguments arguments = modelRun_.arguments(/*ownState=*/false);
    MemoryMeter meter(timer_.device());
    metered = &meter;
    run(arguments);
    metered = nullptr;
    return meter.peak();
}

std::int64_t Runner::savedBytes() {
    if (options_.inference) return 0;
    const RunArguments arguments = modelRun_.arguments(/*ownState=*/true);
    const at::AutoGradMode grad(true);
    const MemoryMeter meter(timer_.device());
    std::vector<c10::IValue> outputs = function_(arguments.leaves);
    const std::int64_t withHistory = meter.bytes();
    for (auto& output : outputs)
        if (output.isTensor() && output.toTensor().defined()) output = output.toTensor().detach();
    // Mutated arguments also hold the history; they are ours.
    for (const auto& leaf : arguments.leaves)
        if (leaf.isTensor() && leaf.toTensor().defined() && leaf.toTensor().grad_fn())
            leaf.toTensor().unsafeGetTensorImpl()->set_autograd_meta(nullptr);
    return withHistory - meter.bytes();
}

}  // namespace aotscope
