#pragma once

#include "record/results/results.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

enum class OptimizerKind : std::uint8_t { sgd, adam };
std::string_view name(OptimizerKind kind);
std::optional<OptimizerKind> optimizerFromName(std::string_view name);

/// Training options.
struct TrainOptions {
    int steps = 100;
    double rate = 0.01;
    OptimizerKind optimizer = OptimizerKind::sgd;
    /// A list of batches saved with torch.save, used cyclically. Empty: random values of the input spec are drawn for
    /// every step; inputs from a file are the batch of every step.
    std::filesystem::path data;
};

/// One step of one run: forward, loss, backward, update of the parameters.
struct TrainIteration {
    double loss = 0;
    double ms = 0;
    std::int64_t peakBytes = 0;  ///< peak memory of the step, excluding what was allocated before it
    std::int64_t liveBytes = 0;  ///< allocated since the first step began and still live after this one
    std::int64_t liveBlocks = 0;
};

/// The same step of both runs.
struct TrainStep {
    TrainIteration eager, compiled;
    std::int64_t residentBytes = 0;  ///< of the whole process, after the step
};

struct TrainResult {
    TrainOptions options;
    std::string loss;  ///< how it is computed from the outputs
    std::vector<TrainStep> steps;
    std::vector<Recompilation> recompilations;
    std::vector<CompilerUse> compilers = {};
};

/// Called after every step, on the training thread.
using TrainListener = std::function<void(const TrainStep&)>;

/// Summary of the steps of one run.
struct TrainFigures {
    double firstLoss = 0, lastLoss = 0;
    double stepsPerSecond = 0;  ///< without the first step, which compiles the backward
    std::int64_t peakBytes = 0;
    double growthPer100Steps = 0;  ///< of live bytes, after the first steps
};
/// `run`: &TrainStep::eager or &TrainStep::compiled.
TrainFigures figuresOf(const std::vector<TrainStep>& steps, TrainIteration TrainStep::*run);
/// Growth of the process's resident memory per 100 steps.
double residentGrowthPer100Steps(const std::vector<TrainStep>& steps);

/// The largest difference between the two loss curves.
struct LossDifference {
    std::size_t step = 0;  ///< from 0
    double absolute = 0;
    double relative = 0;  ///< to the larger of both; infinite if only one is a number
};
LossDifference largestDifference(const std::vector<TrainStep>& steps);

}  // namespace aotscope
