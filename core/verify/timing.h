#pragma once

#include "record/compile_record.h"
#include "record/results.h"
#include "support/progress.h"
#include "verify/model_run.h"

namespace aotscope {

/// Times the program itself, the compiled function, and the compiled function while every step of its graphs is timed,
/// in turn; then the peak of allocated memory of both.
TimingResult timeAgainstEager(const ModelRun& modelRun, const CompiledFunction& compiled, const CompileRecord& record,
                              const Options& options, const TimingOptions& timing, const Progress& progress);

/// A compiled function with what it is run on.
struct Contestant {
    const ModelRun& modelRun;
    const CompiledFunction& compiled;
    const Options& options;
};

/// Times two compiled functions in turn, and the peak of allocated memory of each.
VariantTiming timeVariants(const Contestant& first, const Contestant& second, const TimingOptions& timing,
                           const Progress& progress);

}  // namespace aotscope
