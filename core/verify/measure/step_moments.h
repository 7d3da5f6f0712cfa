#pragma once

#include "record/options/options.h"
#include "record/results/step_moment.h"
#include "verify/model_run.h"

#include <chrono>
#include <functional>

namespace aotscope {

class CompiledFunction;

/// Runs the compiled function, forward and backward, like timing, and records when each step ran. `waited`: how long
/// this rank has waited for others so far.
std::vector<StepMoment> stepMoments(const ModelRun& modelRun, const CompiledFunction& compiled,
                                    const CompileRecord& record, const Options& options,
                                    const std::function<std::chrono::nanoseconds()>& waited);

}  // namespace aotscope
