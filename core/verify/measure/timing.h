#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"
#include "support/progress.h"
#include "verify/model_run.h"

namespace aotscope {

/// Times eager, the compiled function, and the compiled function with every step of its graphs timed, interleaved; then
/// measures the peak memory of both.
TimingResult timeAgainstEager(const ModelRun& modelRun, const CompiledFunction& compiled, const CompileRecord& record,
                              const Options& options, const TimingOptions& timing, const Progress& progress);

/// A compiled function with its model run.
struct Contestant {
    const ModelRun& modelRun;
    const CompiledFunction& compiled;
    const Options& options;
};

/// Times two compiled functions, interleaved, and measures the peak memory of each.
VariantTiming timeVariants(const Contestant& first, const Contestant& second, const TimingOptions& timing,
                           const Progress& progress);

}  // namespace aotscope
