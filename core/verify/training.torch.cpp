#include "verify/training.h"

#include "aten/random_state.h"
#include "distributed/world.h"
#include "ir/output_names.h"
#include "program/inputs/saved_inputs.h"
#include "support/elapsed.h"
#include "support/names.h"
#include "support/resident_memory.h"
#include "verify/judge/random_rules.h"
#include "verify/memory_meter.h"
#include "verify/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <chrono>
#include <cmath>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<c10::IValue>;

/// The inputs of each step.
class Batches {
public:
    Batches(const ModelRun& modelRun, const Options& options, const TrainOptions& training)
        : modelRun_(modelRun), seed_(options.seed) {
        if (training.data.empty()) return;
        saved_ = readSavedBatches(training.data, modelRun.model().program->inputs());
        const FlatFunction& function = modelRun.function();
        const std::size_t expected = function.exampleLeaves().size() - function.stateCount();
        for (std::size_t i = 0; i < saved_.size(); ++i)
            if (const std::size_t found = leaves(static_cast<int>(i)).size(); found != expected)
                throw Error("batch " + std::to_string(i) + " of '" + training.data.string() + "' has " +
                            counted(found, "value") + ", the example inputs have " + std::to_string(expected) +
                            "; give every batch as --inputs takes it");
    }

    /// Fresh tensors, since a program may overwrite them.
    Values leaves(int step) const {
        if (saved_.empty()) return modelRun_.batch(seed_ + static_cast<std::uint64_t>(step));
        return modelRun_.batch(saved_[static_cast<std::size_t>(step) % saved_.size()]);
    }

private:
    const ModelRun& modelRun_;
    std::uint64_t seed_;
    std::vector<Values> saved_;
};

bool canBeDifferentiated(const c10::IValue& value) {
    return value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad();
}

struct Loss {
    at::Tensor value;
    std::string what;
};

Loss lossOf(const Values& outputs, const FunctionMetadata& function) {
    Loss squares;
    std::string names;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!canBeDifferentiated(outputs[i])) continue;
        const at::Tensor& output = outputs[i].toTensor();
        if (output.dim() == 0 && output.is_floating_point()) return {output, outputText(function, i)};
        const at::Tensor mean = (output.is_complex() ? output.abs() : output).square().mean();
        squares.value = squares.value.defined() ? squares.value.add(mean) : mean;
        names += (names.empty() ? "" : ", ") + outputText(function, i);
    }
    if (!squares.value.defined())
        throw Error(
            "no output of the model depends on a parameter that requires a gradient: there is nothing to train");
    squares.what = "mean of the squares of " + names;
    return squares;
}

/// One of the two runs: its own parameters, buffers and optimizer.
class Trainee {
public:
    /// `function` is one of the program's, which must outlive it.
    Trainee(const TrainedProgram& program, const TrainOptions& training, Callable function)
        : metadata_(program.cache.first().metadata()),
          function_(std::move(function)),
          leaves_(program.modelRun.arguments(/*ownState=*/true).leaves) {
        const std::size_t state = program.modelRun.function().stateCount();
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            if (i >= state && !program.held.contains(i - state)) {
                given_.push_back(i);
                continue;
            }
            if (!canBeDifferentiated(leaves_[i])) continue;
            if (i >= state) leaves_[i] = leaves_[i].toTensor().detach().requires_grad_();
            parameters_.push_back(leaves_[i].toTensor());
        }
        if (parameters_.empty())
            throw Error("the model has no parameter that requires a gradient: there is nothing to train");
        optimizer_ = makeOptimizer(training, parameters_);
    }

    TrainIteration step(const Batches& batches, int index, std::uint64_t seed, MemoryMeter& meter) {
        const std::int64_t bytes = meter.bytes(), blocks = meter.blocks();
        meter.startIteration();
        TrainIteration iteration = run(batches.leaves(index), seed);
        iteration.peakBytes = meter.iterationPeak() - bytes;
        iteration.liveBytes = liveBytes_ += meter.bytes() - bytes;
        iteration.liveBlocks = liveBlocks_ += meter.blocks() - blocks;
        return iteration;
    }
    const std::string& loss() const { return loss_; }

private:
    TrainIteration run(const Values& inputs, std::uint64_t seed) {
        Values leaves = leaves_;
        for (const std::size_t i : given_) leaves[i] = inputs[i - (leaves.size() - inputs.size())];
        seedRandom(seed);
        const auto start = ownTime();
        const Values outputs = function_(leaves);  // which a training loop in Python holds until the end, too
        Loss loss = lossOf(outputs, metadata_);
        optimizer_->step(torch::autograd::grad({loss.value}, parameters_, {}, false, false, /*allow_unused=*/true));
        TrainIteration iteration;
        iteration.loss = loss.value.item<double>();  // the device's work is done by then
        iteration.ms = std::chrono::duration<double, std::milli>(ownTime() - start).count();
        loss_ = std::move(loss.what);
        return iteration;
    }

    const FunctionMetadata& metadata_;  ///< has the names of outputs
    Callable function_;
    Values leaves_;
    std::vector<std::size_t> given_;  ///< leaves that differ between batches
    std::vector<at::Tensor> parameters_;
    std::unique_ptr<Optimizer> optimizer_;
    std::int64_t liveBytes_ = 0, liveBlocks_ = 0;
    std::string loss_;
};

/// Reports progress now and then; a small model takes thousands of steps a second.
class Announcer {
public:
    explicit Announcer(const Progress& progress) : progress_(progress) {}
    void enter(int step, int steps) {
        constexpr double kOftenMs = 100;
        if (step > 0 && msSince(last_) < kOftenMs) return progress_.throwIfCancelled();
        progress_.enter(stageOf("step", step + 1, steps));
        last_ = Clock::now();
    }

private:
    const Progress& progress_;
    Clock::time_point last_ = Clock::now();
};

}  // namespace

TrainResult trainAgainstEager(const TrainedProgram& program, const TrainOptions& training, const Progress& progress,
                              const TrainListener& listener) {
    const ModelRun& modelRun = program.modelRun;
    CompileCache& cache = program.cache;
    const Options& options = program.options;
    if (options.inference) throw UsageError("--inference: training needs gradients; remove this option");
    const RandomStateGuard kept;
    const at::AutoGradMode grad(true);
    const Batches batches(modelRun, options, training);
    Trainee eager(program, training, [&](const Values& leaves) {
        const RandomRules sameNumbers(options);
        return modelRun.function()(leaves).leaves;
    });
    Trainee compiled(program, training, [&](const Values& leaves) { return cache.find(leaves)->run(leaves, {}); });
    TrainResult result{training, {}, {}, {}, {}};
    result.steps.reserve(static_cast<std::size_t>(training.steps));
    Announcer announcer(progress);
    MemoryMeter meter{c10::Device(options.device)};
    for (int i = 0; i < training.steps; ++i) {
        announcer.enter(i, training.steps);
        const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
        TrainStep step;
        step.eager = eager.step(batches, i, seed, meter);
        step.compiled = compiled.step(batches, i, seed, meter);
        step.residentBytes = residentBytes();
        if (listener) listener(step);
        result.steps.push_back(step);
    }
    result.loss = compiled.loss();
    result.recompilations = cache.recompilations();
    result.compilers = cache.compilers();
    return result;
}

}  // namespace aotscope
