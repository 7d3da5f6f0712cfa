#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

namespace aotscope {

/// Makes the tensors of one file fit for torch::jit::pickle_save, so that torch.load takes them from strangers: a
/// pending conjugation is carried out, and of a dtype that Python has no storage class for (float8, uint16, complex32)
/// there is a pair of its bits, as integers of the same size, and the dtype's name. What shows the memory of an earlier
/// tensor as another dtype is a copy, since torch.load knows one type of each memory.
class LoadableTensors {
public:
    /// None for an undefined tensor.
    c10::IValue of(const at::Tensor& tensor);

private:
    at::Tensor ofOneType(const at::Tensor& tensor);

    std::unordered_map<const c10::StorageImpl*, at::ScalarType> types_;
    std::vector<at::Tensor> keepAlive_;  ///< so that addresses stay unique
};

}  // namespace aotscope
