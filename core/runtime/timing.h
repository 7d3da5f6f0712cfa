#pragma once

#include "passes/record.h"
#include "runtime/results.h"
#include "runtime/workload.h"
#include "support/progress.h"

namespace aotscope {

/// Times the program itself and the compiled function in turn, `iterations` times after one warm-up, then each
/// step of the compiled graphs, and the peak of allocated memory of both.
TimingResult timeAgainstEager(const Workload& workload, const CompiledFunction& compiled, const CompileRecord& record,
                              const Options& options, int iterations, const Progress& progress);

}  // namespace aotscope
