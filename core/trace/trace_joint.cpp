#include "support/error.h"
#include "trace/convert.h"
#include "trace/fake_tensor.h"
#include "trace/function_recording.h"

#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/autograd.h>

namespace aotscope {

namespace {

/// The input that the program gets instead of a primal it mutates, so that the gradient is taken with respect
/// to the primal before its mutation.
c10::IValue freshInput(const c10::IValue& primal, const InputInfo& info) {
    if (!primal.isTensor() || info.mutation != MutationType::outOfGraph) return primal;
    if (info.mutationIsDifferentiable()) return primal.toTensor().clone();
    if (info.mutatesMetadata && !info.metadataUnderNoGrad) return primal.toTensor().view(primal.toTensor().sizes());
    return primal;
}

std::vector<at::Tensor> recordTangents(Recorder& recorder, const FunctionMetadata& metadata) {
    std::vector<at::Tensor> tangents;
    const auto mask = metadata.tangentMask();
    const auto slots = metadata.forwardSlots();
    recorder.enterBackward();
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (!mask[i]) continue;
        const TensorType& type = metadata.tangents[tangents.size()];
        const at::Tensor fake =
            makeFake(emptyMeta(type.sizes, type.strides, toScalarType(type.dtype)), c10::Device(type.device.name));
        recorder.addPlaceholder("tangents_" + std::to_string(tangents.size() + 1), fake, Role::tangent,
                                "tangent of " + slots[i].label);
        tangents.push_back(wrapFunctional(fake, false, true));
    }
    recorder.enterForward();
    return tangents;
}

struct Differentiation {
    std::vector<at::Tensor> outputs, tangents, primals;
};

Differentiation selectDifferentiable(const std::vector<at::Tensor>& candidates, const std::vector<at::Tensor>& tangents,
                                     const std::vector<c10::IValue>& primals) {
    Differentiation d;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!candidates[i].requires_grad()) continue;
        d.outputs.push_back(candidates[i]);
        d.tangents.push_back(tangents[i]);
    }
    for (const auto& primal : primals)
        if (primal.isTensor() && primal.toTensor().requires_grad()) d.primals.push_back(primal.toTensor());
    return d;
}

Trace trace(const GraphFunction& function, DataOracle& oracle, const FunctionMetadata& metadata) {
    const FakeInputs fakes(function.exampleInputs());
    LocationSink location(function.program().locations());
    Recorder recorder("joint", location, oracle);
    const auto primals = recordFunctionalInputs(recorder, function, fakes, /*joint=*/true, /*mergeDuplicates=*/false);
    const auto tangents = recordTangents(recorder, metadata);
    const DispatchScope dispatch(recorder);
    const FunctionalizationScope functionalization;

    std::vector<c10::IValue> inputs;
    for (std::size_t i = 0; i < primals.size(); ++i) inputs.push_back(freshInput(primals[i], metadata.inputs[i]));
    const auto result = function(inputs, &location);
    location.leave();
    recorder.noteOutputs(result.leaves);
    check(result.leaves.size() == metadata.outputs.size(),
          "the joint trace returns as many outputs as the metadata trace");

    std::vector<c10::IValue> returned;
    for (auto i : metadata.mutatedInputIndices()) returned.push_back(inputs[i]);
    for (const auto& output : result.leaves) returned.push_back(output);
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i)
        if (metadata.outputs[i].type == OutputType::aliasOfIntermediateSaveAsOutput)
            returned.emplace_back(result.leaves[i].toTensor()._base());
    for (const auto& input : inputs) unwrapFunctional(input);
    writeBackInGraph(recorder, metadata, fakes, inputs);

    std::vector<at::Tensor> candidates;
    const auto mask = metadata.tangentMask();
    for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i]) candidates.push_back(returned[i].toTensor());
    const auto d = selectDifferentiable(candidates, tangents, primals);

    std::vector<c10::IValue> outputs;
    for (const auto& value : returned) outputs.push_back(unwrapFunctional(value));
    recorder.enterBackward();
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
    const auto gradients = torch::autograd::grad(d.outputs, d.primals, d.tangents, /*retain_graph=*/false,
                                                 /*create_graph=*/false, /*allow_unused=*/true);

    std::vector<OutputSlot> slots = metadata.forwardSlots();
    std::size_t next = 0;
    for (std::size_t i = 0; i < primals.size(); ++i) {
        const bool differentiable = primals[i].isTensor() && primals[i].toTensor().requires_grad();
        const at::Tensor gradient = differentiable ? gradients[next++] : at::Tensor();
        outputs.push_back(gradient.defined() ? unwrapFunctional(gradient) : c10::IValue());
        slots.push_back({Role::gradient, metadata.inputs[i].name});
    }
    return takeTrace(recorder, outputs, std::move(slots));
}

}  // namespace

Trace traceJoint(const FlatFunction& function, DataOracle& oracle, const MetadataTrace& known) {
    Trace result;
    runTraceThread([&] { result = trace(GraphFunction(function, known.metadata), oracle, known.graphMetadata); });
    return result;
}

}  // namespace aotscope
