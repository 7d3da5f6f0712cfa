#pragma once

#include "runtime/results.h"
#include "runtime/workload.h"
#include "support/progress.h"

namespace aotscope {

/// Runs `compiled` and the program itself, forward and backward, on copies of the same state and inputs with
/// the same random state, and compares everything a user can see.
CheckResult checkAgainstEager(const Workload& workload, const CompiledFunction& compiled, const Options& options,
                              const Progress& progress);

}  // namespace aotscope
