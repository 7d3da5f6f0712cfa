#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

namespace aotscope {

/// Prepares the tensors of one file for torch::jit::pickle_save, so that torch.load accepts them with weights_only:
/// pending conjugations are materialized, and a dtype without a storage class in Python (float8, uint16, complex32)
/// becomes a pair of its bits, as integers of the same size, and the dtype's name. A tensor that views the memory of an
/// earlier one as another dtype is copied, since torch.load allows one dtype per storage.
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
