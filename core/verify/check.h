#pragma once

#include "record/results/results.h"
#include "support/progress.h"
#include "verify/compile_cache.h"
#include "verify/model_run.h"

namespace aotscope {

/// Runs the function from `cache` for the inputs, and the program in eager, forward and backward, on copies of the same
/// state and inputs with the same RNG state, and compares everything that a user can observe. With dynamic shapes
/// (`symbols`) also at other sizes: those of the options, or four within the range.
CheckResult checkAgainstEager(const ModelRun& modelRun, CompileCache& cache, const std::vector<Symbol>& symbols,
                              const Options& options, const Progress& progress);

/// The same only at the sizes of the example.
CheckResult checkAtExample(const ModelRun& modelRun, const std::shared_ptr<const CompiledFunction>& compiled,
                           const Options& options, const Progress& progress);

/// The other sizes of a check: those of the options, or four within the range.
std::vector<SymbolValues> sizesToCheck(const ModelRun& modelRun, const std::vector<Symbol>& symbols,
                                       const SizeGuards& guards, const Options& options);

/// Whether eager runs at these sizes. It need not, if the user did not request them.
bool runsInEager(const ModelRun& modelRun, const SymbolValues& sizes, const Options& options);

/// A clause, starting with "; ", for what could not be traced or run; empty unless eager also fails with autocast.
/// Autocast only casts the arguments of operators on its lists: a model that mixes dtypes then fails by itself.
std::string eagerFailsUnderAutocast(const ModelRun& modelRun, const Options& options);

}  // namespace aotscope
