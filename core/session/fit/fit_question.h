#pragma once

#include "cost/fit/batch_search.h"
#include "cost/fit/data_sheet.h"
#include "session/fit/varying_batch.h"

#include <string>

namespace aotscope {

/// What is asked about the training steps of a model: does it fit, how fast?
struct FitQuestion {
    const DataSheet* sheet = nullptr;  ///< of the GPU; null: the device of the session
    const OptimizerFormula* optimizer = &optimizerFormulaNamed("adamw");
    AssumedLoss loss = AssumedLoss::crossEntropy;
    std::int64_t limit = 0;   ///< bytes of memory
    SymbolValues sizes = {};  ///< of symbols beside the batch; others have those of the example inputs
    std::int64_t shown = 0;   ///< a batch that gets a row in any case, if it is in the range; 0: that of the example
};

/// The memory of the device; 0: not known.
std::int64_t memoryFor(const FitQuestion& question, const std::string& device);

/// The options of a session for which the question can be answered: with a GPU of a data sheet, the model is traced for
/// CUDA.
Options optionsFor(const FitQuestion& question, Options options);

/// The rows for the batches in `range` (see searchBatches). Takes milliseconds for each: nothing is traced or
/// allocated. `sessions`: by optionsFor. Throws UsageError for a range without a batch that is compiled, and Cancelled.
BatchSearch answerFit(const Engine& engine, const VaryingBatch& sessions, const BatchRange& range,
                      const FitQuestion& question, const Progress& progress);

}  // namespace aotscope
