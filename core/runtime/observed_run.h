#pragma once

#include "runtime/results.h"
#include "runtime/workload.h"

#include <functional>
#include <string>
#include <vector>

namespace aotscope {

using Callable = std::function<std::vector<c10::IValue>(const std::vector<c10::IValue>&)>;

/// Everything a user can see of one run, forward and backward.
struct ObservedRun {
    RunArguments arguments;
    std::vector<c10::IValue> outputs;
    std::vector<at::Tensor> gradients;
    std::vector<bool> written;  ///< whether the version counter of each argument moved
    bool backwardRun = false;
    std::string backwardError;  ///< why the backward could not run; empty: it could, or there is none
};

/// Runs `function` on fresh arguments, with the random state that the options' seed gives.
ObservedRun observeRun(const Workload& workload, const Options& options, const SymbolValues& sizes,
                       const Callable& function);

/// Compares everything. The result's sizes and counts are left alone. `slack`: how many times the usual rounding errors
/// may be; beyond 1, a gradient that should be zero may be a rounding error beside the others.
CheckResult compareRuns(const ObservedRun& eager, const ObservedRun& compiled,
                        const std::vector<std::string>& inputNames, double slack = 1);

}  // namespace aotscope
