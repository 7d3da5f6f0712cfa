#pragma once

#include "load/pickle/pickle_values.h"

#include <string_view>

namespace aotscope {

/// Argument `i` of a call. Throws Error (a clause) unless it exists and has this kind.
const PickledValue& pickledArgument(const PickledValues& values, PickledValue::Index arguments, std::size_t i,
                                    PickledValue::Kind kind);

/// The storage type of the global "torch.`name`", with its item size; number 0 if it does not exist.
PickledValue pickledStorageType(std::string_view name);

/// The tensor that torch._utils._rebuild_tensor_v2 or _rebuild_qtensor creates from (storage, offset, sizes, strides,
/// [parameters of the quantizer,] requires_grad, hooks[, metadata]). LibTorch does not check these numbers. Throws
/// Error (a clause) for a tensor that extends beyond its storage.
PickledValue rebuiltTensor(const PickledValues& values, PickledValue::Index arguments, bool quantized);

}  // namespace aotscope
