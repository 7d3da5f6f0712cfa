#include "aten/copy_tensor.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

namespace aotscope {

at::Tensor copyTensor(const at::Tensor& original, std::unordered_map<const c10::StorageImpl*, c10::Storage>& storages,
                      const std::optional<c10::Device>& device) {
    const at::NoGradGuard noGrad;
    const c10::Device target = device.value_or(original.device());
    auto& storage = storages[original.storage().unsafeGetStorageImpl()];
    if (!storage) {
        const auto bytes = static_cast<int64_t>(original.storage().nbytes());
        const at::Tensor whole =
            at::empty({0}, original.options().dtype(at::kByte)).set_(original.storage(), 0, {bytes}, {1});
        storage = whole.to(target, at::kByte, /*non_blocking=*/false, /*copy=*/true).storage();
    }
    at::Tensor copy = at::empty({0}, original.options().device(target))
                          .set_(storage, original.storage_offset(), original.sizes(), original.strides());
    if (original.is_conj()) copy._set_conj(true);
    if (original.is_neg()) copy._set_neg(true);
    return copy.set_requires_grad(original.requires_grad());
}

}  // namespace aotscope
