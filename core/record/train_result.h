#pragma once

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

/// How a model is trained.
struct TrainOptions {
    int steps = 100;
    double rate = 0.01;
    OptimizerKind optimizer = OptimizerKind::sgd;
    /// A list of batches saved with torch.save, used one after the other. Empty: what is random in the input spec is
    /// drawn anew for every step; inputs that come from a file are the batch of every step.
    std::filesystem::path data;
};

/// One step of one run: forward, loss, backward, update of the parameters.
struct TrainIteration {
    double loss = 0;
    double ms = 0;
    std::int64_t peakBytes = 0;  ///< peak memory, excluding what was allocated before
    std::int64_t liveBytes = 0;  ///< allocated since the first step began and still there after this one
    std::int64_t liveBlocks = 0;
};

/// The same step of both runs.
struct TrainStep {
    TrainIteration eager, compiled;
    std::int64_t residentBytes = 0;  ///< of the whole process, after it
};

struct TrainResult {
    TrainOptions options;
    std::string loss;  ///< what it is made of
    std::vector<TrainStep> steps;
};

/// Told every step as it ends, on the thread that trains.
using TrainListener = std::function<void(const TrainStep&)>;

/// What the steps of one run say together.
struct TrainFigures {
    double firstLoss = 0, lastLoss = 0;
    double stepsPerSecond = 0;  ///< without the first step, which compiles the backward
    std::int64_t peakBytes = 0;
    double growthPer100Steps = 0;  ///< of live bytes, once the first steps are over
};
/// `run`: &TrainStep::eager or &TrainStep::compiled.
TrainFigures figuresOf(const std::vector<TrainStep>& steps, TrainIteration TrainStep::*run);
/// The growth of the process' resident memory, likewise.
double residentGrowthPer100Steps(const std::vector<TrainStep>& steps);

/// Where the two loss curves are farthest apart.
struct LossDifference {
    std::size_t step = 0;  ///< from 0
    double absolute = 0;
    double relative = 0;  ///< of the larger of both; infinite where only one is a number
};
LossDifference largestDifference(const std::vector<TrainStep>& steps);

}  // namespace aotscope
