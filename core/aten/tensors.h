#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>

namespace aotscope {

/// Whether `value` is a defined tensor.
inline bool isTensor(const c10::IValue& value) { return value.isTensor() && value.toTensor().defined(); }

/// Identifies the memory of `tensor`: equal for tensors that share it, fakes included.
inline const c10::StorageImpl* storageOf(const at::Tensor& tensor) {
    return tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

/// Like detach(), but without the dispatcher: the same memory and version counter, no history.
inline at::Tensor detachedTwin(const at::Tensor& tensor) {
    const c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
    return at::Tensor(impl->shallow_copy_and_detach(impl->version_counter(), /*allow_tensor_metadata_change=*/false));
}

/// Autograd's base of the view `tensor`; `tensor` itself if it is not a view.
inline at::Tensor baseOf(const at::Tensor& tensor) { return tensor.is_view() ? at::Tensor(tensor._base()) : tensor; }

/// Calls `visit` for every defined tensor of `value`, lists included.
template <typename Visit>
void forEachTensor(const c10::IValue& value, Visit&& visit) {
    if (value.isTensor()) {
        if (value.toTensor().defined()) visit(value.toTensor());
    } else if (value.isTensorList()) {
        for (const at::Tensor& t : value.toTensorVector())
            if (t.defined()) visit(t);
    } else if (value.isOptionalTensorList()) {
        for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
            if (t && t->defined()) visit(*t);
    }
}

/// `value` with `map` applied to every tensor in it, lists included.
template <typename Map>
c10::IValue mapTensors(const c10::IValue& value, Map&& map) {
    if (value.isTensor()) return map(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> mapped;
        for (const at::Tensor& t : value.toTensorVector()) mapped.push_back(map(t));
        return mapped;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> mapped;
        for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
            mapped.push_back(t ? std::optional<at::Tensor>(map(*t)) : std::nullopt);
        return mapped;
    }
    return value;
}

}  // namespace aotscope
