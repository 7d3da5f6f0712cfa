#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <unordered_map>

namespace aotscope {

/// A copy of `original` with the same strides and offset in a copy of its storage; `storages` remembers copied
/// storages, so that tensors which shared memory still do. On `device`, or on the device of the original.
at::Tensor copyTensor(const at::Tensor& original, std::unordered_map<const c10::StorageImpl*, c10::Storage>& storages,
                      const std::optional<c10::Device>& device = std::nullopt);

}  // namespace aotscope
