#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// A check at other sizes than the example's.
struct SizeCheck {
    SymbolValues sizes;
    bool ok = true;
    bool recompiled = false;  ///< no compilation at hand accepted these sizes
    std::string reason;       ///< of recompiling
};

/// Compiled against eager, from equal state and equal random state.
struct CheckResult {
    bool ok = true;
    bool backwardRun = false;
    double outputsMaxError = 0;  ///< largest difference, relative to the largest element of its tensor
    double gradsMaxError = 0;
    bool inputsAfterOk = true;         ///< values and shapes of all inputs, buffers included, after the run
    bool aliasingOk = true;            ///< which outputs share memory with which inputs and outputs; requires_grad
    std::vector<std::string> details;  ///< one sentence for each difference
    std::vector<SizeCheck> sizes;      ///< where sizes vary
    int hits = 0, misses = 0;          ///< of the compilations at hand
};

struct Spread {
    double min = 0, median = 0, max = 0;
};
Spread spreadOf(std::vector<double> values);

struct StepTime {
    std::string graph;  ///< "forward", "backward" or "inference"
    std::size_t index = 0;
    NodeId node = kNoNode;
    std::string name, op;
    double medianUs = 0;
    std::int64_t bytes = 0;  ///< of its results
};

struct TimingResult {
    int iterations = 0;
    bool backward = false;
    Spread eagerForwardMs, eagerBackwardMs, compiledForwardMs, compiledBackwardMs;
    std::vector<StepTime> steps;
    std::int64_t eagerPeakBytes = 0, compiledPeakBytes = 0;  ///< of allocations during forward and backward
};

}  // namespace aotscope
