#include "trace/function_recording.h"

#include <torch/csrc/autograd/variable.h>

namespace aotscope {

ForwardRun::ForwardRun(const GraphFunction& function, std::string graphName, DataDependentValues& dataValues)
    : fakes(function.exampleInputs(), function.assumedDevice()),
      location(function.program().locations()),
      recorder(std::move(graphName), location, &dataValues) {}

torch::autograd::edge_list gradientEdges(const std::vector<c10::IValue>& primals) {
    torch::autograd::edge_list edges;
    for (const auto& primal : primals)
        edges.push_back(primal.isTensor() && primal.toTensor().requires_grad()
                            ? torch::autograd::impl::gradient_edge(primal.toTensor())
                            : torch::autograd::Edge());
    return edges;
}

bool takesFreshInput(const InputInfo& info) {
    return info.mutation == MutationType::outOfGraph &&
           (info.mutationIsDifferentiable() || (info.mutatesMetadata && !info.behindAutograd));
}

std::string argumentName(std::size_t i, bool joint) {
    return joint ? "primals_" + std::to_string(i + 1) : "arg" + std::to_string(i) + "_1";
}

std::vector<c10::IValue> recordFunctionalInputs(Recorder& recorder, const GraphFunction& function,
                                                const FakeInputs& fakes, bool joint, bool mergeDuplicates) {
    std::vector<c10::IValue> wrapped;
    for (std::size_t i = 0; i < fakes.leaves.size(); ++i) {
        const std::string name = argumentName(i, joint);
        const c10::IValue& leaf = fakes.leaves[i];
        if (!leaf.isTensor()) {
            recorder.graph().addValuePlaceholder(name, leaf, function.inputName(i));
            wrapped.push_back(leaf);
            continue;
        }
        Node* node = recorder.addPlaceholder(name, leaf.toTensor(), function.inputRole(i), function.inputName(i));
        node->type.tensor()->requiresGrad = fakes.requiresGrad[i];
        const std::size_t first = fakes.duplicateOf[i];
        if (mergeDuplicates && first != i) wrapped.push_back(wrapped[first]);
        else wrapped.emplace_back(wrapFunctional(leaf.toTensor(), fakes.requiresGrad[i], fakes.isLeaf[i]));
    }
    return wrapped;
}

void writeBackInGraph(Recorder& recorder, const FunctionMetadata& metadata, const FakeInputs& fakes,
                      const std::vector<c10::IValue>& inputs) {
    for (const std::size_t i : metadata.inputsMutatedInGraph())
        recorder.graph().writeBack(fakes.leaves[i].toTensor(), unwrapFunctional(inputs[i]).toTensor(),
                                   metadata.inputs[i].mutatesStorageMetadata);
}

}  // namespace aotscope
