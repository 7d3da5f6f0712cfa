#pragma once

#include "passes/pipeline.h"
#include "record/results/graph_example.h"
#include "verify/model_run.h"

#include <functional>

namespace aotscope {

/// What it takes to run a graph by itself, and what comes of it.
struct ExampleRun {
    std::vector<c10::IValue> inputs;
    const ConstantTable* constants = nullptr;
    std::vector<c10::IValue> outputs;
    std::string error;  ///< of the run; then there are no outputs
};

/// The inputs of `graph`, one of this compilation's, in a run of the compiled function on the options' inputs. Nothing
/// if its inputs are none of the compiled graphs'.
std::optional<std::vector<c10::IValue>> argumentsOf(const Graph& graph, GraphKind kind, const ModelRun& modelRun,
                                                    const Compilation& compilation, const Options& options);

/// Runs `graph` on these inputs, with the RNG state of the options' seed.
ExampleRun runExample(const Graph& graph, GraphKind kind, std::vector<c10::IValue> inputs,
                      const Compilation& compilation, const Options& options);

ValueSketch sketchOf(const c10::IValue& value);

/// Packed values are a file that torch.load reads: a tuple of the inputs (None: not kept), of pairs of names and
/// constants, and of the outputs. `readsData`: the graph's operations stand for these values alone.
GraphExample exampleOf(const Graph& graph, const ExampleRun& run, std::uint64_t seed, ExampleValues values,
                       bool readsData);

}  // namespace aotscope
