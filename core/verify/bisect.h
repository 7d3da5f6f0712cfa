#pragma once

#include "passes/pipeline.h"
#include "record/results/results.h"
#include "support/progress.h"
#include "verify/model_run.h"

namespace aotscope {

/// Runs the graphs of every pass on the same inputs as eager, with the same RNG state, and finds the first pass whose
/// values differ from eager's, and the first such node in its graph. Nodes are compared with those of the previous
/// pass, and in the first graph of their kind with the operations of an eager run. `compilation` must contain a
/// function. With dynamic shapes, also at other sizes than the example's.
BisectResult bisectAgainstEager(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                                const Progress& progress);

/// The difference found by a check at the example's sizes, and its place, as far as a bisection finds it; nothing if
/// the two are equal. Throws Error if eager's backward also fails, so that there is no reference.
std::optional<BisectResult> firstDifference(const ModelRun& modelRun, const Compilation& compilation,
                                            const Options& options, const Progress& progress);

}  // namespace aotscope
