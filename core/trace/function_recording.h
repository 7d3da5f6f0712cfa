#pragma once

#include "trace/fake_inputs.h"
#include "trace/trace.h"

#include <torch/csrc/autograd/function.h>

namespace aotscope {

/// A functionalized run of a function on fake tensors, with its results. Outputs have their autograd history, so that
/// the backward can be recorded after it.
struct ForwardRun {
    ForwardRun(const GraphFunction& function, std::string graphName, DataDependentValues& dataValues);

    FakeInputs fakes;
    LocationSink location;
    Recorder recorder;
    std::vector<c10::IValue> inputs;   ///< wrapped for functionalization
    torch::autograd::edge_list edges;  ///< where the gradients of the inputs arrive; empty until requested
    std::vector<c10::IValue> outputs;  ///< of the function
    std::uint64_t sequence = 0;        ///< the number of autograd's next node
};

/// Where the gradient of each primal arrives; no edge for those without one. Call before the program runs: in-place
/// operations change a primal's history, even without an effect (squeeze_ of a dimension that is not 1).
torch::autograd::edge_list gradientEdges(const std::vector<c10::IValue>& primals);

/// Whether the joint trace passes another tensor than the primal to the program; the gradient belongs to the primal.
bool takesFreshInput(const InputInfo& info);

/// PyTorch's name of input `i` in a graph with or without a backward.
std::string argumentName(std::size_t i, bool joint);

/// The placeholders of a function's inputs in `recorder`, and the inputs wrapped for functionalization.
/// `mergeDuplicates`: inputs that are the same tensor share the wrapper of the first.
std::vector<c10::IValue> recordFunctionalInputs(Recorder& recorder, const GraphFunction& function,
                                                const FakeInputs& fakes, bool joint, bool mergeDuplicates);

/// Lets the graph overwrite the inputs whose mutations are part of it; `inputs` are their wrappers after the run.
void writeBackInGraph(Recorder& recorder, const FunctionMetadata& metadata, const FakeInputs& fakes,
                      const std::vector<c10::IValue>& inputs);

}  // namespace aotscope
