#pragma once

#include "record/results.h"
#include "support/progress.h"
#include "verify/compile_cache.h"
#include "verify/model_run.h"

namespace aotscope {

/// Runs the function that `cache` has for the inputs and the program itself, forward and backward, on copies of the
/// same state and inputs with the same RNG state, and compares everything a user can see. Where sizes vary
/// (`symbols`), at some other sizes, too: those of the options, else four within the range.
CheckResult checkAgainstEager(const ModelRun& modelRun, CompileCache& cache, const std::vector<Symbol>& symbols,
                              const Options& options, const Progress& progress);

/// The other sizes at which a check runs: those of the options, else four within the range.
std::vector<SymbolValues> sizesToCheck(const ModelRun& modelRun, const std::vector<Symbol>& symbols,
                                       const SizeGuards& guards, const Options& options);

}  // namespace aotscope
