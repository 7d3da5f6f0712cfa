// A training loop by hand, and training runs of small models.
#pragma once

#include "trained_models.h"

#include "session/session.h"
#include "support/models.h"
#include "verify/optimizer.h"
#include "verify/training.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/jit/api/module.h>

namespace aotscope::test {

using Values = std::vector<c10::IValue>;

inline constexpr int kSteps = 100;

inline void seed(std::uint64_t value) {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(value);
}

/// Input and target of one step.
struct Batch {
    at::Tensor input, target;
};

inline Batch batchOf(const TrainedModel& model, const at::Tensor& example, int step) {
    at::Generator generator = at::detail::createCPUGenerator(1000 + static_cast<std::uint64_t>(step));
    Batch batch{at::empty_like(example), at::empty(model.targets, at::kLong).random_(0, model.classes, generator)};
    if (example.is_floating_point()) batch.input.normal_(0, 1, generator);
    else batch.input.random_(0, model.classes, generator);
    return batch;
}

/// Parameters, buffers and momentum of one run.
class Trainer {
public:
    Trainer(const ModelRun& modelRun, double rate, Callable function)
        : rate_(rate), function_(std::move(function)), arguments_(modelRun.arguments(/*ownState=*/true)) {
        for (const at::Tensor& parameter : arguments_.differentiable) momenta_.push_back(at::zeros_like(parameter));
    }

    double step(const Batch& batch) {
        arguments_.leaves.back() = batch.input;
        const at::Tensor scores = function_(arguments_.leaves).at(0).toTensor();
        const at::Tensor loss = at::cross_entropy_loss(scores.view({-1, scores.size(-1)}), batch.target.view(-1));
        loss.backward();
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < momenta_.size(); ++i) {
            at::Tensor& parameter = arguments_.differentiable[i];
            momenta_[i].mul_(0.9).add_(parameter.grad());
            parameter.sub_(momenta_[i], rate_);
            parameter.mutable_grad().reset();
        }
        return loss.item<double>();
    }

    /// Parameters and buffers.
    std::vector<at::Tensor> state() const {
        std::vector<at::Tensor> tensors;
        for (std::size_t i = 0; i + 1 < arguments_.leaves.size(); ++i)
            tensors.push_back(arguments_.leaves[i].toTensor().detach());
        return tensors;
    }

private:
    double rate_;
    Callable function_;
    RunArguments arguments_;
    std::vector<at::Tensor> momenta_;
};

inline Compiled compiledModel(const TrainedModel& model, PartitionAlgorithm partition = PartitionAlgorithm::minCut) {
    return compile(std::make_shared<torch::jit::Module>(model.module()), model.inputs,
                   {.partition = {.algorithm = partition}});
}

inline Callable eager(const Compiled& compiled) {
    return [&](const Values& v) { return compiled.modelRun.function()(v).leaves; };
}

inline Callable asCompiled(const Compiled& compiled) {
    return [&](const Values& v) { return compiled.function()(v); };
}

inline at::Tensor exampleOf(const Compiled& compiled) {
    return compiled.modelRun.function().exampleValues().back().toTensor();
}

inline TrainOptions training(int steps, double rate, OptimizerKind optimizer = OptimizerKind::sgd) {
    return {.steps = steps, .rate = rate, .optimizer = optimizer};
}

inline TrainResult train(const Compiled& compiled, const TrainOptions& options, const Progress& progress = {},
                         const TrainListener& listener = nullptr) {
    CompileCache cache(
        compiled.compilation.function, [](const Values&) -> Compilation { throw Error("another compilation"); }, 0);
    return trainAgainstEager({compiled.modelRun, cache, compiled.options}, options, progress, listener);
}

inline TrainResult trainSample(const char* name, const TrainOptions& options, const Options& how = {}) {
    Options own = how;
    own.model = std::string("sample:") + name;
    return Session::open(own, {})->train(options, {}, nullptr);
}

}  // namespace aotscope::test
