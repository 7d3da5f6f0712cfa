#include "runtime/compiled_function.h"
#include "trace/convert.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

namespace aotscope {

namespace {

void applyMutation(const InputInfo& info, const at::Tensor& original, const at::Tensor& updated) {
    if (info.mutatesStorageMetadata) {
        const at::NoGradGuard noGrad;
        original.set_(updated);
        return;
    }
    if (info.mutatesMetadata) original.as_strided_(updated.sizes(), updated.strides(), updated.storage_offset());
    if (!info.mutatesData) return;
    if (!info.countsAsWritten) {  // running statistics, writes through .data
        const at::AutoDispatchBelowADInplaceOrView behindAutograd;
        original.copy_(updated);
        return;
    }
    // A leaf that requires a gradient can only have been mutated behind autograd's back.
    if (info.isLeaf && original.requires_grad()) original.detach().copy_(updated);
    else original.copy_(updated);
}

at::Tensor matchGradient(const at::Tensor& alias, const at::Tensor& base, bool requiresGrad) {
    if (base.requires_grad() && !requiresGrad) return alias.detach();
    at::Tensor result = alias;
    if (!base.requires_grad() && requiresGrad) result.requires_grad_(true);
    return result;
}

at::Tensor viewByStrides(const at::Tensor& base, const TensorType& target) {
    const auto dtype = toScalarType(target.dtype);
    at::Tensor source = base;
    if (base.is_complex() && !at::isComplexType(dtype)) source = at::view_as_real(base);
    if (!base.is_complex() && at::isComplexType(dtype)) source = at::view_as_complex(base);
    at::Tensor alias = source.as_strided(target.sizes, target.strides, target.storageOffset);
    return alias.scalar_type() == dtype ? alias : alias.view(dtype);
}

/// The output `info` describes, made from `base`: by replaying its views, else from its sizes and strides.
at::Tensor regenerate(const OutputInfo& info, const ViewSequence& views, const at::Tensor& base) {
    if (info.sameAsBase) return matchGradient(base.alias(), base, info.requiresGrad);
    if (info.replaysViews) {
        const at::Tensor alias = at::functionalization::impl::apply_view_meta_sequence(base, views);
        if (alias.sizes() == c10::IntArrayRef(info.tensor->sizes)) return matchGradient(alias, base, info.requiresGrad);
    }
    return matchGradient(viewByStrides(base, *info.tensor), base, info.requiresGrad);
}

}  // namespace

std::vector<c10::IValue> finishForward(const FunctionMetadata& metadata, const std::vector<ViewSequence>& outputViews,
                                       const std::vector<c10::IValue>& leaves,
                                       const std::vector<c10::IValue>& returned) {
    const auto mutated = metadata.mutatedInputIndices();
    for (std::size_t i = 0; i < mutated.size(); ++i)
        applyMutation(metadata.inputs[mutated[i]], leaves[mutated[i]].toTensor(), returned[i].toTensor());

    const std::size_t firstOutput = mutated.size(), firstBase = firstOutput + metadata.outputs.size();
    std::vector<c10::IValue> outputs;
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const OutputInfo& info = metadata.outputs[i];
        switch (info.type) {
            case OutputType::isInput: outputs.push_back(leaves[*info.base]); break;
            case OutputType::aliasOfInput:
                outputs.emplace_back(regenerate(info, outputViews[i], leaves[*info.base].toTensor()));
                break;
            case OutputType::aliasOfIntermediate:
            case OutputType::aliasOfIntermediateSaveAsOutput:
                if (metadata.intermediateBases == 0) outputs.push_back(returned[firstOutput + i]);
                else
                    outputs.emplace_back(regenerate(info, outputViews[i], returned[firstBase + *info.base].toTensor()));
                break;
            case OutputType::aliasOfIntermediateBaseIsUserOutput:
                outputs.emplace_back(regenerate(info, outputViews[i], returned[firstOutput + *info.base].toTensor()));
                break;
            default: outputs.push_back(returned[firstOutput + i]);
        }
    }
    return outputs;
}

}  // namespace aotscope
