#pragma once

#include "passes/pipeline.h"
#include "record/results/minify_result.h"
#include "support/progress.h"
#include "verify/model_run.h"

#include <functional>
#include <unordered_map>

namespace aotscope {

/// What a graph shows, as a clause; nothing if the test fails.
using GraphTest = std::function<std::optional<std::string>(const Graph& graph, const std::vector<c10::IValue>& inputs)>;

/// A graph and the values of its nodes in one run, by id.
struct RecordedGraph {
    std::shared_ptr<const Graph> graph;
    std::unordered_map<NodeId, c10::IValue> values;
};

/// The smallest part of a graph that still shows what the whole one shows: no output can be removed, and no operation
/// can be replaced by its recorded value. Deterministic.
struct SmallestGraph {
    std::shared_ptr<const Graph> graph;
    std::vector<c10::IValue> inputs;
    std::string found;
    std::size_t tried = 0;
};

/// `found`: the result of `test` for the whole graph. Throws Cancelled.
SmallestGraph smallestGraph(const RecordedGraph& whole, std::string found, const GraphTest& test,
                            const Progress& progress);

/// Minifies a graph of the compilation, on its inputs in a run of the compiled function with the options' inputs.
/// Throws Error if no graph shows what `wanted` asks for.
MinifyResult minify(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                    const MinifyOptions& wanted, const Progress& progress);

}  // namespace aotscope
