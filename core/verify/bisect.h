#pragma once

#include "passes/pipeline.h"
#include "record/results/results.h"
#include "support/progress.h"
#include "verify/model_run.h"

namespace aotscope {

/// Runs the graphs of every pass on the same inputs as eager, with the same RNG state, and finds the first pass whose
/// values differ from eager's, and the first such node in its graph. Nodes are compared with those of the pass before,
/// and in the first graph of their kind with the operations of an eager run. `compilation` must hold a function. With
/// dynamic shapes, also at other sizes than the example's.
BisectResult bisectAgainstEager(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                                const Progress& progress);

/// What a check at the sizes of the example finds, and where, as far as a bisection can say; nothing if the two are
/// equal. Throws Error where there is nothing to compare with, since eager's backward fails, too.
std::optional<BisectResult> firstDifference(const ModelRun& modelRun, const Compilation& compilation,
                                            const Options& options, const Progress& progress);

}  // namespace aotscope
