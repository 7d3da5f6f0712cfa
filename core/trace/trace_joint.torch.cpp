#include "aten/convert.h"
#include "aten/fake_tensor.h"
#include "support/error.h"
#include "trace/function_recording.h"

#include <ATen/SequenceNumber.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace aotscope {

namespace {

/// The input that replaces a primal that the program mutates, so that the gradient is taken with respect to the primal
/// before its mutation.
c10::IValue freshInput(const c10::IValue& primal, const InputInfo& info) {
    if (!primal.isTensor() || !takesFreshInput(info)) return primal;
    const at::Tensor& tensor = primal.toTensor();
    return info.mutationIsDifferentiable() ? tensor.clone() : tensor.view(tensor.sizes());
}

std::vector<at::Tensor> recordTangents(Recorder& recorder, const FunctionMetadata& metadata) {
    std::vector<at::Tensor> tangents;
    const auto mask = metadata.tangentMask();
    const auto slots = metadata.forwardSlots();
    recorder.provenance().enter(Stage::backward);
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (!mask[i]) continue;
        const TensorType& type = metadata.tangents[tangents.size()];
        const at::Tensor fake =
            makeFake(emptyMeta(type.sizes, type.strides, toScalarType(type.dtype)), c10::Device(type.device.name));
        recorder.addPlaceholder("tangents_" + std::to_string(tangents.size() + 1), fake, Role::tangent,
                                "tangent of " + slots[i].label);
        tangents.push_back(wrapFunctional(fake, false, true));
    }
    recorder.provenance().enter(Stage::forward);
    return tangents;
}

/// The gradients of the primals behind `edges`; undefined for unused ones. Only from the outputs `which`.
std::vector<at::Tensor> differentiate(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& tangents,
                                      const std::vector<std::size_t>& which, const torch::autograd::edge_list& edges) {
    torch::autograd::edge_list roots, ends;
    torch::autograd::variable_list starts;
    for (const std::size_t i : which) {
        if (!outputs[i].requires_grad()) continue;
        roots.push_back(torch::autograd::impl::gradient_edge(outputs[i]));
        starts.push_back(tangents[i]);
    }
    for (const auto& edge : edges)
        if (edge.is_valid()) ends.push_back(edge);
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
    // Retained, since a failing backward is retried with fewer outputs.
    const auto found = torch::autograd::Engine::get_default_engine().execute(
        roots, starts, /*keep_graph=*/true, /*create_graph=*/false, /*accumulate_grad=*/false, ends);
    std::vector<at::Tensor> gradients;
    std::size_t next = 0;
    for (const auto& edge : edges) gradients.push_back(edge.is_valid() ? found[next++] : at::Tensor());
    return gradients;
}

bool isOverwritten(const c10::Error& error) {
    const std::string_view text = error.what_without_backtrace();
    const auto says = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return says("modified by an inplace operation") || says("another view of its base has been modified inplace");
}

struct Gradients {
    std::vector<at::Tensor> ofPrimals;
    std::vector<std::size_t> undifferentiableTangents;
    std::vector<std::string> refusals;  ///< autograd's errors
};

/// The outputs whose backward cannot run, because the program has overwritten what it needs. The operations recorded in
/// the attempts are dead code.
Gradients refusedOutputs(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& tangents,
                         const torch::autograd::edge_list& edges) {
    Gradients refused;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        try {
            differentiate(outputs, tangents, {i}, edges);
        } catch (const c10::Error& error) {
            if (!isOverwritten(error)) throw;
            refused.undifferentiableTangents.push_back(i);
            refused.refusals.emplace_back(error.what_without_backtrace());
        }
    }
    return refused;
}

Gradients differentiate(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& tangents,
                        const torch::autograd::edge_list& edges) {
    std::vector<std::size_t> which(outputs.size());
    std::iota(which.begin(), which.end(), 0);
    try {
        return {differentiate(outputs, tangents, which, edges), {}, {}};
    } catch (const c10::Error& error) {
        if (!isOverwritten(error)) throw;
    }
    Gradients refused = refusedOutputs(outputs, tangents, edges);
    for (const std::size_t i : refused.undifferentiableTangents) which.erase(std::find(which.begin(), which.end(), i));
    refused.ofPrimals = differentiate(outputs, tangents, which, edges);
    return refused;
}

/// Records the backward after `run`, whose function has run with `inputs`.
JointTrace recordBackward(ForwardRun& run, const std::vector<c10::IValue>& inputs,
                          const std::vector<at::Tensor>& tangents, const FunctionMetadata& metadata) {
    Recorder& recorder = run.recorder;
    run.location.leave();
    recorder.noteOutputs(run.outputs);
    check(run.outputs.size() == metadata.outputs.size(),
          "the joint trace returns as many outputs as the metadata trace");

    std::vector<c10::IValue> returned;
    for (auto i : metadata.mutatedInputIndices()) returned.push_back(inputs[i]);
    for (const auto& output : run.outputs) returned.push_back(output);
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i)
        if (metadata.outputs[i].type == OutputType::aliasOfIntermediateSaveAsOutput)
            returned.emplace_back(run.outputs[i].toTensor()._base());
    for (const auto& input : inputs) unwrapFunctional(input);
    writeBackInGraph(recorder, metadata, run.fakes, inputs);

    std::vector<at::Tensor> candidates;
    const auto mask = metadata.tangentMask();
    for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i]) candidates.push_back(returned[i].toTensor());
    for (std::size_t i = 0; i < run.inputs.size(); ++i)
        if (metadata.inputs[i].turnsDifferentiable()) run.edges[i] = gradientEdges({run.inputs[i]}).front();

    std::vector<c10::IValue> outputs;
    for (const auto& value : returned) outputs.push_back(unwrapFunctional(value));
    recorder.provenance().enter(Stage::backward);
    std::vector<OutputSlot> slots = metadata.forwardSlots();
    auto [gradients, refused, refusals] = differentiate(candidates, tangents, run.edges);
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
        outputs.push_back(gradients[i].defined() ? unwrapFunctional(gradients[i]) : c10::IValue());
        slots.push_back({Role::gradient, metadata.inputs[i].name});
    }
    return {recorder.finish(outputs, std::move(slots)), std::move(refused), std::move(refusals)};
}

JointTrace traceWhole(const GraphFunction& function, DataDependentValues& dataValues, const FunctionMetadata& metadata,
                      std::shared_ptr<const ChosenDecompositions> decompositions) {
    ForwardRun run(function, "joint", dataValues);
    run.inputs = recordFunctionalInputs(run.recorder, function, run.fakes, /*joint=*/true, /*mergeDuplicates=*/false);
    const auto tangents = recordTangents(run.recorder, metadata);
    run.recorder.decomposeBy(std::move(decompositions));
    const DispatchScope dispatch(run.recorder);
    const FunctionalizationScope functionalization;

    run.edges = gradientEdges(run.inputs);
    std::vector<c10::IValue> inputs;
    for (std::size_t i = 0; i < run.inputs.size(); ++i) inputs.push_back(freshInput(run.inputs[i], metadata.inputs[i]));
    run.outputs = function(inputs, &run.location).leaves;
    return recordBackward(run, inputs, tangents, metadata);
}

/// Continues a recorded forward, whose only placeholders are its inputs.
JointTrace goOn(ForwardRun& run, const FunctionMetadata& metadata) {
    // Autograd numbers its nodes per thread; those of a backward follow those of its forward.
    while (at::sequence_number::peek() < run.sequence) at::sequence_number::get_and_increment();
    const auto tangents = recordTangents(run.recorder, metadata);
    run.recorder.graph().goOnAs("joint", run.inputs.size(), tangents.size());
    const DispatchScope dispatch(run.recorder);
    const FunctionalizationScope functionalization;
    return recordBackward(run, run.inputs, tangents, metadata);
}

}  // namespace

JointTrace traceJoint(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                      MetadataTrace& known, const StepSplitter& steps) {
    JointTrace result;
    runTraceThread([&] {
        const StepSplitterScope scope(&steps);
        if (const auto run = std::exchange(known.run, nullptr)) result = goOn(*run, known.graphMetadata);
        else
            result = traceWhole(GraphFunction(function, known.metadata), dataValues, known.graphMetadata,
                                options.decompositions);
    });
    return result;
}

}  // namespace aotscope
