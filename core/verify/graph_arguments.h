#pragma once

#include "passes/pipeline.h"
#include "verify/model_run.h"

namespace aotscope {

/// Copies of the arguments of the compiled graphs in one run of the compiled function on the options' inputs, with
/// standard tangents.
struct GraphArguments {
    std::vector<c10::IValue> primals, tangents;
    std::string whyMadeUp;  ///< why the tangents are not those of the run, as one clause; empty: they are
};

/// Runs the compiled function once; errors in it are not reported here.
GraphArguments graphArguments(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                              const SymbolValues& sizes);

/// The outputs of a forward graph that its backward takes, in the order of its inputs: numbers, then tensors.
std::vector<std::size_t> savedOutputs(const Graph& forward);

}  // namespace aotscope
