#pragma once

#include "record/results/results.h"
#include "support/progress.h"
#include "verify/compile_cache.h"
#include "verify/model_run.h"

namespace aotscope {

/// Runs the function that `cache` has for the inputs, and the program in eager, forward and backward, on copies of the
/// same state and inputs with the same RNG state, and compares everything that a user can observe. With dynamic shapes
/// (`symbols`) also at other sizes: those of the options, else four within the range.
CheckResult checkAgainstEager(const ModelRun& modelRun, CompileCache& cache, const std::vector<Symbol>& symbols,
                              const Options& options, const Progress& progress);

/// The same at the sizes of the example alone.
CheckResult checkAtExample(const ModelRun& modelRun, const std::shared_ptr<const CompiledFunction>& compiled,
                           const Options& options, const Progress& progress);

/// The other sizes of a check: those of the options, else four within the range.
std::vector<SymbolValues> sizesToCheck(const ModelRun& modelRun, const std::vector<Symbol>& symbols,
                                       const SizeGuards& guards, const Options& options);

/// Whether eager runs at these sizes. Sizes that nobody named may be such that it does not.
bool runsInEager(const ModelRun& modelRun, const SymbolValues& sizes, const Options& options);

/// A clause, from "; " on, for what could not be traced or run; empty unless eager fails with it. Autocast casts what
/// operators with lists of their own take, and nothing else: a model that mixes dtypes then fails by itself.
std::string eagerFailsUnderAutocast(const ModelRun& modelRun, const Options& options);

}  // namespace aotscope
