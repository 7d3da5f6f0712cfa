#pragma once

#include "trace/fake_inputs.h"
#include "trace/trace.h"

#include <torch/csrc/autograd/function.h>

namespace aotscope {

/// A functionalized run of a function on fakes: what it runs with, and what it leaves. Its outputs have their autograd
/// history, so that the backward can be recorded behind it.
struct ForwardRun {
    ForwardRun(const GraphFunction& function, std::string graphName, DataDependentValues& dataValues);

    FakeInputs fakes;
    LocationSink location;
    Recorder recorder;
    std::vector<c10::IValue> inputs;   ///< wrapped for functionalization
    torch::autograd::edge_list edges;  ///< where the gradients of the inputs arrive; empty until that is asked for
    std::vector<c10::IValue> outputs;  ///< of the function
    std::uint64_t sequence = 0;        ///< the number of the next node that autograd would make
};

/// Where the gradient of each primal arrives; no edge for those without one. Taken before the program runs: an in-place
/// operation gives a primal another history, even one that changes nothing (squeeze_ of a dimension that is not 1).
torch::autograd::edge_list gradientEdges(const std::vector<c10::IValue>& primals);

/// Whether the joint trace gives the program another tensor than the primal, to which the gradient belongs.
bool takesFreshInput(const InputInfo& info);

/// The name of input `i` in a graph with a backward, or in one without: as PyTorch names them.
std::string argumentName(std::size_t i, bool joint);

/// The placeholders of a function's inputs in `recorder`, and the inputs wrapped for functionalization.
/// `mergeDuplicates`: inputs that are the same tensor get one wrapper, that of the first.
std::vector<c10::IValue> recordFunctionalInputs(Recorder& recorder, const GraphFunction& function,
                                                const FakeInputs& fakes, bool joint, bool mergeDuplicates);

/// Lets the graph overwrite the inputs whose mutations are part of it; `inputs` are their wrappers after the run.
void writeBackInGraph(Recorder& recorder, const FunctionMetadata& metadata, const FakeInputs& fakes,
                      const std::vector<c10::IValue>& inputs);

}  // namespace aotscope
