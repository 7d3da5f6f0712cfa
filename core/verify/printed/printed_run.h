#pragma once

#include "passes/pipeline.h"
#include "verify/model_run.h"
#include "verify/printed/printed_graphs.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// Printed graphs as an executable model: in eager its joint graph, operation by operation; compiled its forward and
/// backward. A graph without a counterpart is used for both.
struct PrintedRun {
    Options options;  ///< of the run: what is not printed is off
    std::shared_ptr<const ModelRun> modelRun;
    Compilation compilation;
};

/// The inputs of the printed forward that are parameters and buffers, as far as the text says so.
std::set<std::size_t> heldInputs(const CompileRecord& record);

/// Inputs from their types. The graphs must be executable.
InputSpec printedInputs(const RunnableGraphs& graphs);
/// Names of the inputs of a graph.
std::vector<std::string> printedInputNames(const Graph& graph);

/// `record` is that of the printed graphs. Inputs are those of `options`, possibly followed by tangents, or created
/// from their types. Throws Error if the graphs cannot run or the inputs do not match.
PrintedRun makePrintedRun(const CompileRecord& record, const Options& options);

}  // namespace aotscope
