#pragma once

#include "record/train_result.h"
#include "support/progress.h"
#include "verify/compile_cache.h"
#include "verify/model_run.h"

namespace aotscope {

/// Trains the program itself and the functions that `cache` has for its inputs, step by step in turn, from equal state,
/// with equal batches and equal random numbers. The model keeps its own state. The loss is the first output that is a
/// floating-point scalar, else the sum over the outputs of the mean of their squares. Throws Error when nothing can be
/// trained, Cancelled between two steps.
TrainResult trainAgainstEager(const ModelRun& modelRun, CompileCache& cache, const Options& options,
                              const TrainOptions& training, const Progress& progress, const TrainListener& listener);

}  // namespace aotscope
