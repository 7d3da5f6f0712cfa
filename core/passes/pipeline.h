#pragma once

#include "passes/pass_observer.h"
#include "passes/sizes/dynamic_shapes.h"
#include "record/compile_record.h"
#include "record/options/options.h"
#include "runtime/compiled_function.h"
#include "support/progress.h"

namespace aotscope {

/// The constants that graphs refer to by name; each trace has its own names.
struct GraphConstants {
    ConstantTable preFunctionalization, functional;
    ConstantTable working;  ///< of joint, forward, backward and inference graphs

    const ConstantTable& of(GraphKind kind) const {
        return kind == GraphKind::preFunctionalization ? preFunctionalization
               : kind == GraphKind::functional         ? functional
                                                       : working;
    }
};

/// Changes the result of a pass before the next one: tests inject faults with it.
using GraphHook = std::function<void(PassId pass, GraphKind kind, Graph& graph)>;

/// A compiled function and its record.
struct Compilation {
    std::shared_ptr<const CompileRecord> record;
    std::shared_ptr<const CompiledFunction> function;  ///< null if the pipeline failed
    Structure outputStructure;
    GraphConstants constants;
};

/// Runs every pass on `function`; `dynamic` gives its dynamic sizes. Errors of passes are stored in the record; only
/// Cancelled is thrown. `hook` and `observer` may be null.
Compilation compileFunction(const FlatFunction& function, const Options& options, const DynamicShapes& dynamic,
                            const Progress& progress, const GraphHook& hook = nullptr,
                            PassObserver* observer = nullptr);

/// Names and one-line descriptions of all passes, in order.
std::vector<std::pair<std::string, std::string>> passList();

}  // namespace aotscope
