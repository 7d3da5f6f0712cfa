#pragma once

#include "load/pickle_values.h"

#include <string_view>

namespace aotscope {

/// Element `i` of a call's arguments. Throws Error (a clause) unless it is there and of this kind.
const PickledValue& pickledArgument(const PickledValues& values, PickledValue::Index arguments, std::size_t i,
                                    PickledValue::Kind kind);

/// The storage type that the global "torch.`name`" is, with the size of its items; number 0 when there is none.
PickledValue pickledStorageType(std::string_view name);

/// The tensor that torch._utils._rebuild_tensor_v2 or _rebuild_qtensor makes of (storage, offset, sizes, strides,
/// [parameters of the quantizer,] requires_grad, hooks[, metadata]). LibTorch takes these numbers as they are; throws
/// Error (a clause) where the tensor would reach out of its storage.
PickledValue rebuiltTensor(const PickledValues& values, PickledValue::Index arguments, bool quantized);

}  // namespace aotscope
