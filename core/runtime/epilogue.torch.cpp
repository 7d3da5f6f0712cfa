#include "runtime/compiled_function.h"

#include "aten/regenerate_alias.h"
#include "aten/version_kept.h"
#include "trace/views/view_history.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

void applyMetadataMutation(const InputInfo& info, const at::Tensor& original) {
    const TensorType& after = *info.after;
    if (info.growsStorage) {
        const at::NoGradGuard noGrad;
        original.resize_(after.sizes);
        return;
    }
    const at::AutoGradMode grad(c10::GradMode::is_enabled() && !info.behindAutograd);
    original.as_strided_(after.sizes, after.strides, after.storageOffset);
    if (isReplayedView(original))
        noteChangeInPlace(original, [sizes = after.sizes, strides = after.strides, offset = after.storageOffset](
                                        const at::Tensor& t) { return t.as_strided(sizes, strides, offset); });
}

void applyMutation(const InputInfo& info, const at::Tensor& original, const at::Tensor& updated) {
    if (info.mutatesStorageMetadata) {
        const at::NoGradGuard noGrad;
        original.set_(updated);
        return;
    }
    if (info.mutatesMetadata) applyMetadataMutation(info, original);
    if (!info.mutatesData) return;
    if (!info.countsAsWritten) {  // running statistics, writes through .data
        const at::AutoDispatchBelowADInplaceOrView behindAutograd;
        original.copy_(updated);
        return;
    }
    if (info.mutationIsDifferentiable()) original.copy_(updated);
    else original.detach().copy_(updated);
}

/// Arguments represented by an unrelated base must look to autograd as if they had been mutated themselves.
void bumpVersions(const FinishedCall& call) {
    for (const GraphInput& input : call.function.convention.inputs)
        for (const std::size_t i : input.arguments)
            if (input.wholeStorage && call.function.inputs[i].mutatesData && call.function.inputs[i].countsAsWritten)
                torch::autograd::impl::bump_version(call.arguments[i].toTensor());
}

void applyMutations(const FinishedCall& call) {
    const auto mutated = call.graph.mutatedInputIndices();
    for (std::size_t i = 0; i < mutated.size(); ++i)
        applyMutation(call.graph.inputs[mutated[i]], call.inputs[mutated[i]].toTensor(), call.returned[i].toTensor());
    for (const GraphInput& input : call.function.convention.inputs)
        for (const std::size_t i : input.arguments)
            if (input.syntheticBase && call.function.inputs[i].mutatesMetadata)
                applyMetadataMutation(call.function.inputs[i], call.arguments[i].toTensor());
    bumpVersions(call);
}

/// The output that `info` describes, regenerated from `original`: by replaying its views, or from its sizes and
/// strides. `value` is what the graph returned for it.
at::Tensor regenerate(const OutputInfo& info, const ViewSequence& views, const at::Tensor& original,
                      const at::Tensor& value) {
    const at::Tensor base = info.severed && original.requires_grad() && c10::GradMode::is_enabled()
                                ? original.detach().set_requires_grad(true)
                                : original;
    const at::AutoGradMode grad(c10::GradMode::is_enabled() && !info.cutsGradient());
    if (info.sameAsBase) return matchGradient(base.alias(), base, info.requiresGrad);
    // Derivatives of views reject some strides, even for tensors without elements.
    if (info.replaysViews && value.numel() > 0) {
        const at::Tensor alias = at::functionalization::impl::apply_view_meta_sequence(base, views);
        if (alias.sizes() == c10::IntArrayRef(info.tensor->sizes)) return matchGradient(alias, base, info.requiresGrad);
    }
    return matchGradient(viewByStrides(base, *info.tensor, value), base, info.requiresGrad);
}

/// An alias of `input` with the gradient of `value`, which the memory of both already contains: the result of writing
/// to a detached alias.
at::Tensor detachedAlias(const OutputInfo& info, const at::Tensor& input, const at::Tensor& value) {
    const at::Tensor alias = viewByStrides(input.detach(), *info.tensor, value);
    const VersionKept kept(alias);
    return alias.copy_(value);
}

/// A view made under no_grad of something that requires grad also requires grad, but has no history.
at::Tensor viewWithoutHistory(const at::Tensor& value) {
    const at::Tensor base = value.detach().set_requires_grad(true);
    const at::NoGradGuard noGrad;
    return base.alias();
}

/// Writes expanded dimensions only once.
void write(const TensorType& type, at::Tensor target, at::Tensor source) {
    for (std::size_t i = 0; i < type.sizes.size(); ++i) {
        if (type.strides[i] != 0 || type.sizes[i] < 2) continue;
        target = target.narrow(static_cast<std::int64_t>(i), 0, 1);
        source = source.narrow(static_cast<std::int64_t>(i), 0, 1);
    }
    target.copy_(source);
}

/// The end of the last element in bytes from the start of the storage.
std::int64_t endOf(const TensorType& type) {
    return (type.numel() == 0 ? type.storageOffset : type.end()) * static_cast<std::int64_t>(itemSize(type.dtype));
}

class OutputBuilder {
public:
    OutputBuilder(const FinishedCall& call, const std::vector<ViewSequence>& views)
        : call_(call),
          views_(views),
          firstOutput_(call.graph.mutatedInputIndices().size()),
          firstBase_(firstOutput_ + call.graph.outputs.size()) {}

    std::vector<c10::IValue> run() {
        for (std::size_t i = 0; i < call_.function.outputs.size(); ++i) outputs_.push_back(output(i));
        return std::move(outputs_);
    }

private:
    const c10::IValue& returned(std::size_t output) const { return call_.returned[firstOutput_ + output]; }

    c10::IValue output(std::size_t i) {
        const OutputInfo& info = call_.function.outputs[i];
        if (info.repeats) return outputs_[*info.repeats];
        switch (info.type) {
            case OutputType::isInput: return call_.arguments[*info.base];
            case OutputType::aliasOfInput:
                return info.ownHistory
                           ? detachedAlias(info, call_.arguments[*info.base].toTensor(), returned(i).toTensor())
                           : from(i, call_.arguments[*info.base]);
            case OutputType::aliasOfIntermediate:
            case OutputType::aliasOfIntermediateSaveAsOutput:
                return call_.function.intermediateBases == 0 ? returned(i)
                                                             : from(i, call_.returned[firstBase_ + *info.base]);
            case OutputType::aliasOfIntermediateBaseIsUserOutput: return from(i, inItsLayout(*info.base));
            default: break;
        }
        if (info.asWritten) return inItsLayout(i);
        const c10::IValue& value = returned(i);
        const bool cut = call_.function.needsAutograd && info.isTensor && info.cutsGradient();
        return cut ? c10::IValue(viewWithoutHistory(value.toTensor())) : value;
    }

    /// What the graph returned for output `i` with the program's layout: computed once for everything derived from it.
    c10::IValue inItsLayout(std::size_t i) {
        const OutputInfo& info = call_.function.outputs[i];
        if (!info.asWritten) return returned(i);
        const auto [known, isNew] = laidOut_.try_emplace(i);
        if (isNew) known->second = laidOut(info, returned(i).toTensor());
        return known->second;
    }

    /// Outputs that share memory in the program also share it here.
    at::Tensor laidOut(const OutputInfo& info, const at::Tensor& value) {
        constexpr std::int64_t kLargestElement = 16;  // bytes
        const TensorType& type = *info.asWritten;
        const auto size = static_cast<std::int64_t>(itemSize(type.dtype));
        std::int64_t first = type.storageOffset * size, end = endOf(type);
        int sharing = 0;
        for (const OutputInfo& other : call_.function.outputs) {
            if (!other.asWritten || other.repeats || !together(*other.asWritten, type)) continue;
            first = std::min(
                first, other.asWritten->storageOffset * static_cast<std::int64_t>(itemSize(other.asWritten->dtype)));
            end = std::max(end, endOf(*other.asWritten));
            ++sharing;
        }
        at::Tensor result;
        if (sharing > 1) {
            first -= first % kLargestElement;
            at::Tensor& memory = memories_[type.storage];
            if (!memory.defined()) memory = at::empty({end - first}, value.options().dtype(at::kByte));
            result = at::empty({0}, value.options());
            result.set_(memory.storage(), type.storageOffset - first / size, type.sizes, type.strides);
            result._set_conj(info.conjugated);
            result._set_neg(info.negated);
        } else {
            result = at::empty_strided(type.sizes, type.strides, value.options());
        }
        write(type, result, value);
        return result;
    }

    static bool together(const TensorType& a, const TensorType& b) { return a.storage >= 0 && a.storage == b.storage; }

    c10::IValue from(std::size_t i, const c10::IValue& base) const {
        return regenerate(call_.function.outputs[i], views_[i], base.toTensor(), returned(i).toTensor());
    }

    const FinishedCall& call_;
    const std::vector<ViewSequence>& views_;
    std::size_t firstOutput_, firstBase_;
    std::vector<c10::IValue> outputs_;
    std::map<std::size_t, at::Tensor> laidOut_;
    std::map<std::int64_t, at::Tensor> memories_;  ///< by storage in the program
};

}  // namespace

std::vector<c10::IValue> finishForward(const FinishedCall& call, const std::vector<ViewSequence>& outputViews) {
    applyMutations(call);
    return OutputBuilder(call, outputViews).run();
}

}  // namespace aotscope
