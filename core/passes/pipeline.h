#pragma once

#include "options.h"
#include "passes/dynamic_shapes.h"
#include "passes/record.h"
#include "runtime/compiled_function.h"
#include "support/progress.h"

namespace aotscope {

/// A compiled function and how it came about.
struct Compilation {
    std::shared_ptr<CompileRecord> record;
    std::shared_ptr<const CompiledFunction> function;  ///< null if the pipeline failed
    Structure outputStructure;
};

/// Runs every pass on `function`; `dynamic` says which of its sizes may vary. Errors of a pass end up in the record;
/// only Cancelled is thrown.
Compilation compileFunction(const FlatFunction& function, const Options& options, const DynamicShapes& dynamic,
                            const Progress& progress);

/// Names and one-line descriptions of all passes, in order.
std::vector<std::pair<std::string, std::string>> passList();

}  // namespace aotscope
