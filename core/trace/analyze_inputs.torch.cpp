#include "trace/analyze_inputs.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "support/error.h"

#include <ATen/FunctionalTensorWrapper.h>

namespace aotscope {

namespace {

/// Bytes from the start of the storage to the end of the last element.
std::int64_t extent(const TensorType& type) {
    return type.numel() == 0 ? 0 : type.end() * static_cast<std::int64_t>(itemSize(type.dtype));
}

/// The wrapper calls set_ on the input once, at the end: autograd would not notice earlier writes.
void refuseVisibleWrites(const InputInfo& info) {
    if (!info.mutatesData || !info.requiresGrad || info.mutationsHiddenFromAutograd || info.mutationsUnderNoGrad)
        return;
    throw Error("the model gives input '" + info.name +
                "' a new storage (set_), but the input has other mutations that autograd sees; write into it under "
                "no_grad, or into a tensor of your own");
}

bool sameLayout(const TensorType& a, const TensorType& b) {
    return a.sizes == b.sizes && a.strides == b.strides && a.storageOffset == b.storageOffset;
}

void refuseDetaching(const InputInfo& info, const at::Tensor& wrapped) {
    if (!info.requiresGrad || wrapped.requires_grad()) return;
    throw Error("the model detaches input '" + info.name +
                "' in place (detach_), which would change the caller's tensor; use detach(), which makes a new one");
}

InputInfo inspect(const at::Tensor& before, const at::Tensor& wrapped, const std::optional<TensorType>& left,
                  InputInfo info) {
    auto* wrapper = at::functionalization::impl::unsafeGetFunctionalWrapper(wrapped);
    info.tensor = typeOf(before);
    info.tensor->requiresGrad = info.requiresGrad;
    refuseDetaching(info, wrapped);
    info.mutatesData = wrapper->has_data_mutation();
    // An in-place operation with a differentiable operand makes its target require grad, as does requires_grad_.
    info.requiresGrad = info.requiresGrad || wrapped.requires_grad();
    const at::Tensor after = unwrapFunctional(wrapped).toTensor();
    info.mutatesStorageMetadata = wrapper->was_storage_changed() && storageOf(before) != storageOf(after);
    const TensorType type = left ? *left : typeOf(after);
    info.mutatesMetadata =
        info.mutatesStorageMetadata || (wrapper->has_metadata_mutation() && !sameLayout(*info.tensor, type));
    info.mutationsHiddenFromAutograd = wrapper->are_all_mutations_hidden_from_autograd();
    info.mutationsUnderNoGrad = info.mutatesData && wrapper->are_all_mutations_under_no_grad_or_inference_mode();
    if (info.mutatesMetadata) {
        info.after = type;
        info.growsStorage = !info.mutatesStorageMetadata && extent(type) > info.tensor->storageBytes;
    }
    if (info.mutatesStorageMetadata) {
        refuseVisibleWrites(info);
        info.mutatesData = false;
    }
    info.countsAsWritten = wrapped._version() != 0;
    return info;
}

}  // namespace

std::vector<InputInfo> analyzeInputs(const GraphFunction& function, const WrappedInputs& inputs,
                                     bool keepInputMutations) {
    const FakeInputs& fakes = inputs.fakes;
    std::vector<InputInfo> infos;
    for (std::size_t i = 0; i < inputs.wrapped.size(); ++i) {
        InputInfo info;
        info.name = function.inputName(i);
        info.role = function.inputRole(i);
        info.isLeaf = fakes.isLeaf[i];
        info.requiresGrad = fakes.requiresGrad[i];
        if (inputs.wrapped[i].isTensor()) {
            const at::Tensor& wrapped = inputs.wrapped[i].toTensor();
            info = inspect(fakes.leaves[i].toTensor(), wrapped, inputs.after[i], std::move(info));
            // In-place views that restore the same layout, such as t_() of a vector, add a no-op to the history.
            const bool sameHistory =
                historyOf(wrapped) == inputs.historyBefore[i] || (info.mutationsUnderNoGrad && !info.mutatesMetadata);
            info.behindAutograd = (info.mutatesData || info.mutatesMetadata) && info.requiresGrad && sameHistory;
        }
        info.mutation = mutationType(info, keepInputMutations);
        infos.push_back(std::move(info));
    }
    return infos;
}

}  // namespace aotscope
