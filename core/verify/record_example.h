#pragma once

#include "passes/pipeline.h"
#include "record/results/graph_example.h"
#include "verify/model_run.h"

namespace aotscope {

/// The inputs and results of running a graph in isolation.
struct ExampleRun {
    std::vector<c10::IValue> inputs;
    const ConstantTable* constants = nullptr;
    std::vector<c10::IValue> outputs;
    std::string error;  ///< of the run; there are then no outputs
};

/// The inputs of `graph`, one of this compilation, in a run of the compiled function on the options' inputs. Nothing if
/// they are not among those of the compiled graphs.
std::optional<std::vector<c10::IValue>> argumentsOf(const Graph& graph, GraphKind kind, const ModelRun& modelRun,
                                                    const Compilation& compilation, const Options& options);

/// Runs `graph` on these inputs, with the RNG state of the options' seed.
ExampleRun runExample(const Graph& graph, GraphKind kind, std::vector<c10::IValue> inputs,
                      const Compilation& compilation, const Options& options);

/// Packed values are a file that torch.load reads: a tuple of the inputs (None: not kept), of pairs of names and
/// constants, and of the outputs. `readsData`: the graph is specialized to these values.
GraphExample exampleOf(const Graph& graph, const ExampleRun& run, std::uint64_t seed, ExampleValues values,
                       bool readsData);

}  // namespace aotscope
