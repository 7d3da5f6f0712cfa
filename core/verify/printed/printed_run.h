#pragma once

#include "passes/pipeline.h"
#include "verify/model_run.h"
#include "verify/printed/printed_graphs.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// Printed graphs as a model that runs: in eager its joint graph, operation by operation; compiled its halves. A graph
/// without a counterpart stands for both.
struct PrintedRun {
    Options options;  ///< of the run: what is not printed is off
    std::shared_ptr<const ModelRun> modelRun;
    Compilation compilation;
};

/// The inputs of the printed forward that are parameters and buffers, as far as the text says so.
std::set<std::size_t> heldInputs(const CompileRecord& record);

/// Inputs by their types. The graphs must be able to run.
InputSpec printedInputs(const RunnableGraphs& graphs);
/// Names of the inputs of a graph.
std::vector<std::string> printedInputNames(const Graph& graph);

/// A run of the graphs uses these options, if there is to be one: it is made when something runs for the first time,
/// which is too late to refuse others.
void usePrintedRunOptions(const Options& options, const CompileRecord& record);

/// `record` is that of the printed graphs. Inputs are those of `options`, which may have tangents behind them, else
/// made by their types. Throws Error if the graphs cannot run or the inputs do not fit.
PrintedRun makePrintedRun(const CompileRecord& record, const Options& options);

}  // namespace aotscope
