#pragma once

#include "record/results/train_result.h"
#include "support/progress.h"
#include "verify/compile_cache.h"
#include "verify/model_run.h"

#include <set>

namespace aotscope {

/// Indices of a program's inputs that are parameters and buffers: a printed graph has no other state.
using HeldInputs = std::set<std::size_t>;

/// A program, and the functions that are compiled for its inputs.
struct TrainedProgram {
    const ModelRun& modelRun;
    CompileCache& cache;
    const Options& options;
    HeldInputs held = {};  ///< trained like the program's own state
};

/// Trains the program in eager and the functions from its cache, interleaved step by step, from equal state, with equal
/// batches and random numbers. The model's own state is unchanged. The loss is the first output that is a
/// floating-point scalar, or the sum of the outputs' mean squares. Throws Error if nothing can be trained, Cancelled
/// between two steps.
TrainResult trainAgainstEager(const TrainedProgram& program, const TrainOptions& training, const Progress& progress,
                              const TrainListener& listener);

}  // namespace aotscope
