#pragma once

#include "record/results/results.h"
#include "verify/seeded_run.h"

#include <string>
#include <vector>

namespace aotscope {

/// Everything that a user can observe of one run, forward and backward.
struct ObservedRun {
    RunArguments arguments;
    std::vector<c10::IValue> outputs;
    std::vector<at::Tensor> gradients;
    std::vector<bool> written;  ///< by argument: whether its version counter changed
    double ms = 0;              ///< of forward and backward
    bool backwardRun = false;
    std::string backwardError;  ///< why the backward could not run; empty: it could, or there is none
};

/// Runs `function` on fresh arguments, with the RNG state of the options' seed.
ObservedRun observeRun(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
                       const Callable& function, const Arithmetic& arithmetic = {});

/// The values of `run` by the names that compareRuns uses.
NamedTensors namedTensors(const ObservedRun& run, const FunctionMetadata& function);

/// Compares everything. Does not set the sizes and counts of the result. `noise`: the effect of rounding; null: not
/// measured.
CheckResult compareRuns(const ObservedRun& eager, const ObservedRun& compiled, const FunctionMetadata& function,
                        const NoiseEstimate* noise = nullptr);

}  // namespace aotscope
