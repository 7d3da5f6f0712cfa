#pragma once

#include "compile/fused/cuda/text.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <cstdint>
#include <vector>

namespace aotscope {

/// One call of a kernel's translation: which one, how many threads, and its parameters, in the order of cudaText.
struct CudaLaunch {
    CudaLaunch(const Kernel& kernel, c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
               c10::ArrayRef<at::Tensor> outputs);

    CudaForm form;
    unsigned blocks = 0;  ///< 0 if there is nothing to do
    unsigned threadsX = 1, threadsY = 1;
    std::vector<std::uint64_t> values;  ///< each parameter's bytes, in order
};

}  // namespace aotscope
