#pragma once

#include "passes/pipeline.h"
#include "record/results.h"
#include "support/progress.h"
#include "verify/model_run.h"

namespace aotscope {

/// Runs what every pass has left on the same inputs as eager, with the same RNG state, and finds the first pass
/// whose values are not eager's; and in its graph the first node. Nodes are compared with those of the pass before,
/// and in the first graph of its kind with the operations of an eager run.
/// `compilation` must hold a function. Where sizes vary, also at other sizes than the example's.
BisectResult bisectAgainstEager(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                                const Progress& progress);

}  // namespace aotscope
