#include "support/error.h"
#include "trace/convert.h"
#include "trace/fake_tensor.h"
#include "trace/recorder.h"
#include "trace/trace.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace fi = at::functionalization::impl;

namespace {

using at::FunctionalTensorWrapper;

FunctionalTensorWrapper* wrapperOf(const at::Tensor& t) {
    return t.defined() && fi::isFunctionalTensor(t) ? fi::unsafeGetFunctionalWrapper(t) : nullptr;
}

const c10::StorageImpl* storageOf(const at::Tensor& t) {
    return t.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

/// What happened to an input: `wrapped` is its wrapper after the run, `before` the fake that went in.
InputInfo inspectInput(const FlatFunction& function, const FakeInputs& fakes, const c10::IValue& wrapped,
                       std::size_t index) {
    InputInfo info;
    info.name = function.leafNames()[index];
    info.role = function.leafRole(index);
    info.isLeaf = fakes.isLeaf[index];
    info.requiresGrad = fakes.requiresGrad[index];
    if (!wrapped.isTensor()) return info;

    const at::Tensor& before = fakes.leaves[index].toTensor();
    info.tensor = typeOf(before);
    info.tensor->requiresGrad = info.requiresGrad;
    auto* wrapper = wrapperOf(wrapped.toTensor());
    // An in-place operation with a differentiable operand makes its target require a gradient.
    info.requiresGrad = info.requiresGrad || (wrapper->has_data_mutation() && wrapped.toTensor().requires_grad());
    const at::Tensor after = unwrapFunctional(wrapped).toTensor();
    info.mutatesData = wrapper->has_data_mutation();
    info.mutatesStorageMetadata = wrapper->was_storage_changed() && storageOf(before) != storageOf(after);
    info.mutatesMetadata =
        info.mutatesStorageMetadata ||
        (wrapper->has_metadata_mutation() && (before.sizes() != after.sizes() || before.strides() != after.strides() ||
                                              before.storage_offset() != after.storage_offset()));
    info.mutationsHiddenFromAutograd = wrapper->are_all_mutations_hidden_from_autograd();
    info.mutationsUnderNoGrad = info.mutatesData && wrapper->are_all_mutations_under_no_grad_or_inference_mode();
    if (info.mutatesStorageMetadata) info.mutatesData = false;
    info.countsAsWritten = !info.mutatesData || wrapped.toTensor()._version() != 0;
    if (info.mutatesData || info.mutatesMetadata) info.mutation = MutationType::outOfGraph;
    return info;
}

/// Everything that classifying one output needs to know of the others.
class OutputAnalysis {
public:
    OutputAnalysis(const std::vector<c10::IValue>& inputs, const std::vector<c10::IValue>& outputs)
        : inputs_(inputs), outputs_(outputs) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i].isTensor()) inputOfStorage_[storageOf(inputs[i].toTensor())] = i;
        for (const auto& output : outputs) {
            if (!isTensor(output)) continue;
            const at::Tensor& t = output.toTensor();
            ++aliases_[storageOf(t)];
            if (auto* wrapper = wrapperOf(t); wrapper && wrapper->is_multi_output_view())
                ++multiOutputViews_[storageOf(t)];
        }
    }

    OutputInfo classify(std::size_t index) {
        const c10::IValue& output = outputs_[index];
        OutputInfo info;
        info.isTensor = isTensor(output);
        if (!info.isTensor) return info;
        const at::Tensor& t = output.toTensor();
        const auto gradFn = t.grad_fn();
        info.requiresGrad = t.requires_grad();
        info.requiresGradForBackward = info.requiresGrad && (!isView(t) || gradFn != nullptr);
        info.tensor = typeOf(t);
        info.tensor->requiresGrad = info.requiresGrad;
        decideType(info, t, gradFn != nullptr);
        return info;
    }

    const std::vector<at::Tensor>& intermediateBases() const { return bases_; }

private:
    static bool isTensor(const c10::IValue& v) { return v.isTensor() && v.toTensor().defined(); }
    static bool isView(const at::Tensor& t) { return t.is_view(); }

    void decideType(OutputInfo& info, const at::Tensor& t, bool hasGradFn) {
        const auto* storage = storageOf(t);
        auto* wrapper = wrapperOf(t);
        const bool storageChanged = wrapper && wrapper->was_storage_changed();
        const auto input = inputOfStorage_.find(storage);
        const int notMultiOutput = aliases_[storage] - multiOutputViews_[storage];

        if (input != inputOfStorage_.end() && (!storageChanged || isInput(t, input->second))) {
            // Views from one multi-output operation cannot be mutated by the user: their aliasing may stay hidden.
            if (!storageChanged && hasGradFn && notMultiOutput == 0) return;
            info.type = isInput(t, input->second) ? OutputType::isInput : OutputType::aliasOfInput;
            info.base = input->second;
            return;
        }
        if (isView(t) && info.requiresGrad && t._base().requires_grad())
            return decideViewOfIntermediate(info, t, notMultiOutput);
        if (aliases_[storage] > 1 && !info.requiresGrad)
            if (auto twin = differentiableTwin(t)) {
                // (out, out.detach()): the second is regenerated from the first.
                info.type = OutputType::aliasOfIntermediateBaseIsUserOutput;
                info.base = twin;
                info.sameAsBase = true;
            }
    }

    void decideViewOfIntermediate(OutputInfo& info, const at::Tensor& t, int notMultiOutput) {
        if (aliases_[storageOf(t)] == 1 || notMultiOutput <= 1) {
            info.type = OutputType::unsafeViewAlias;
            return;
        }
        const at::Tensor base(t._base());
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (isTensor(outputs_[i]) && outputs_[i].toTensor().is_same(base)) {
                info.type = OutputType::aliasOfIntermediateBaseIsUserOutput;
                info.base = i;
                return;
            }
        const auto known =
            std::find_if(bases_.begin(), bases_.end(), [&](const at::Tensor& b) { return b.is_same(base); });
        info.base = static_cast<std::size_t>(known - bases_.begin());
        info.type =
            known == bases_.end() ? OutputType::aliasOfIntermediateSaveAsOutput : OutputType::aliasOfIntermediate;
        if (known == bases_.end()) bases_.push_back(base);
    }

    bool isInput(const at::Tensor& t, std::size_t input) const { return inputs_[input].toTensor().is_same(t); }

    /// Another output with the same memory and layout that requires a gradient.
    std::optional<std::size_t> differentiableTwin(const at::Tensor& t) const {
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            if (!isTensor(outputs_[i])) continue;
            const at::Tensor& o = outputs_[i].toTensor();
            if (!o.is_same(t) && o.requires_grad() && storageOf(o) == storageOf(t) && o.sizes() == t.sizes() &&
                o.strides() == t.strides() && o.storage_offset() == t.storage_offset() && o.is_conj() == t.is_conj() &&
                o.is_neg() == t.is_neg())
                return i;
        }
        return std::nullopt;
    }

    const std::vector<c10::IValue>& inputs_;
    const std::vector<c10::IValue>& outputs_;
    std::unordered_map<const c10::StorageImpl*, std::size_t> inputOfStorage_;
    std::unordered_map<const c10::StorageImpl*, int> aliases_, multiOutputViews_;
    std::vector<at::Tensor> bases_;
};

/// Tangents take the strides of what they belong to; an output that overlaps itself gets a contiguous tangent.
TensorType tangentType(const at::Tensor& output) {
    TensorType type = typeOf(output);
    if (!output.is_non_overlapping_and_dense()) type.strides = contiguousStrides(type.sizes);
    type.storageOffset = 0;
    type.storageBytes = type.bytes();
    return type;
}

void decideAutograd(FunctionMetadata& metadata, bool gradMode) {
    const bool anyInput =
        std::any_of(metadata.inputs.begin(), metadata.inputs.end(), [](const InputInfo& i) { return i.requiresGrad; });
    if (!gradMode) metadata.whyAutograd = "inference graph: gradients are switched off";
    else if (!anyInput) metadata.whyAutograd = "inference graph: no input requires a gradient";
    if (!gradMode || !anyInput) return;
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const OutputInfo& output = metadata.outputs[i];
        const bool regenerated = output.aliasesInput() && metadata.inputs[*output.base].requiresGrad;
        if (!output.requiresGrad || regenerated) continue;
        metadata.needsAutograd = true;
        metadata.whyAutograd = "joint graph: output " + std::to_string(i) + " requires a gradient";
        return;
    }
    for (const InputInfo& input : metadata.inputs) {
        if (!input.requiresGrad || !input.mutatesData || input.mutationsUnderNoGrad ||
            input.mutationsHiddenFromAutograd)
            continue;
        metadata.needsAutograd = true;
        metadata.whyAutograd = "joint graph: input '" + input.name + "' requires a gradient and is mutated";
        return;
    }
    metadata.whyAutograd = "inference graph: no output requires a gradient of its own";
}

bool replaysViews(const OutputInfo& info, const std::vector<InputInfo>& inputs) {
    if (info.type == OutputType::aliasOfInput) return !inputs[*info.base].mutatesMetadata;
    return info.isAlias() && info.type != OutputType::isInput;
}

bool overlap(const TensorType& a, const TensorType& b) {
    if (a.numel() == 0 || b.numel() == 0) return false;
    const auto range = [](const TensorType& t) {
        std::int64_t last = t.storageOffset;
        for (std::size_t i = 0; i < t.sizes.size(); ++i) last += (t.sizes[i] - 1) * t.strides[i];
        const auto item = static_cast<std::int64_t>(itemSize(t.dtype));
        return std::make_pair(t.storageOffset * item, (last + 1) * item);
    };
    const auto [a0, a1] = range(a);
    const auto [b0, b1] = range(b);
    return a0 < b1 && b0 < a1;
}

/// A graph writes each updated input back on its own; inputs that share memory would need a common base.
void refuseAliasedMutation(const FunctionMetadata& metadata, const FakeInputs& fakes) {
    const auto& inputs = metadata.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].mutation == MutationType::notMutated) continue;
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            if (k == i || !inputs[k].tensor ||
                storageOf(fakes.leaves[i].toTensor()) != storageOf(fakes.leaves[k].toTensor()))
                continue;
            const bool same = fakes.duplicateOf[i] == fakes.duplicateOf[k];
            if (!same && !(inputs[i].mutatesData && overlap(*inputs[i].tensor, *inputs[k].tensor))) continue;
            throw Error("inputs '" + inputs[i].name + "' and '" + inputs[k].name +
                        "' share memory and the model mutates '" + inputs[i].name +
                        "'; pass tensors with memory of their own, for example a clone");
        }
    }
}

}  // namespace

MetadataTrace traceMetadata(const FlatFunction& function, const FakeInputs& fakes, DataOracle& oracle, bool gradMode) {
    MetadataTrace result;
    LocationSink location(function.program().locations());
    Recorder recorder("functional", location, oracle);
    auto inputs = recordFunctionalInputs(recorder, function, fakes, /*joint=*/gradMode && fakes.anyRequiresGrad());

    const DispatchScope dispatch(recorder);
    const FunctionalizationScope functionalization;
    const at::AutoGradMode grad(gradMode);
    auto [outputs, structure] = function(inputs, &location);
    result.outputStructure = std::move(structure);

    FunctionMetadata& metadata = result.metadata;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        metadata.inputs.push_back(inspectInput(function, fakes, inputs[i], i));
    refuseAliasedMutation(metadata, fakes);
    OutputAnalysis analysis(inputs, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        OutputInfo info = analysis.classify(i);
        info.replaysViews = info.isTensor && !info.sameAsBase && replaysViews(info, metadata.inputs) &&
                            wrapperOf(outputs[i].toTensor());
        result.outputViews.push_back(info.replaysViews ? wrapperOf(outputs[i].toTensor())->view_metas()
                                                       : ViewSequence{});
        metadata.outputs.push_back(std::move(info));
    }
    metadata.intermediateBases = analysis.intermediateBases().size();
    decideAutograd(metadata, gradMode);
    if (!metadata.needsAutograd) metadata.intermediateBases = 0;

    std::vector<c10::IValue> returned;
    for (auto i : metadata.mutatedInputIndices()) returned.push_back(unwrapFunctional(inputs[i]));
    for (const auto& output : outputs) returned.push_back(unwrapFunctional(output));
    if (metadata.needsAutograd)
        for (const auto& base : analysis.intermediateBases()) returned.push_back(unwrapFunctional(base));
    const auto mask = metadata.tangentMask();
    for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i] && metadata.needsAutograd) metadata.tangents.push_back(tangentType(returned[i].toTensor()));

    result.functional.graph = recorder.finish(returned, metadata.forwardSlots());
    result.functional.constants = recorder.constants();
    result.functional.fallbacks = recorder.fallbacks();
    result.functional.readings = recorder.readings();
    return result;
}

}  // namespace aotscope
