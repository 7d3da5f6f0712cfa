#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace aotscope {

/// A tensor for torch::jit::pickle_save, so that torch.load takes it from strangers: a pending conjugation is carried
/// out, and of a dtype that Python has no storage class for (float8, uint16, complex32) there is a pair of its bits, as
/// integers of the same size, and the dtype's name. None for an undefined tensor.
c10::IValue loadable(const at::Tensor& tensor);

}  // namespace aotscope
