#pragma once

#include "passes/pipeline.h"
#include "verify/model_run.h"

namespace aotscope {

/// What the compiled graphs are called with in one run of the compiled function on the options' inputs, with standard
/// tangents: copies.
struct GraphArguments {
    std::vector<c10::IValue> primals, tangents;
    std::string whyMadeUp;  ///< why the tangents are not those that flow back: one clause; empty: they are
};

/// Runs the compiled function once; what goes wrong in it is no error.
GraphArguments graphArguments(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                              const SymbolValues& sizes);

/// Which outputs of a forward graph its backward takes in, in the order of its inputs: numbers, then tensors.
std::vector<std::size_t> savedOutputs(const Graph& forward);

}  // namespace aotscope
