#pragma once

#include "compile/fused/kernel.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <memory>

namespace aotscope {

/// A kernel compiled for one type of device. Thread-safe.
class FusedKernel {
public:
    virtual ~FusedKernel() = default;
    /// `inputs` and `numbers` as the kernel lists them; each input has the size of the space or 1 in every dimension,
    /// and any strides. `outputs` are filled: of the size of the space, or of size 1 in the reduced dimensions if the
    /// value exists only for kept positions; any strides. The space may have no elements. An output may share the
    /// memory of an input if both have the same strides and nothing is reduced; otherwise they must not overlap.
    virtual void run(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
                     c10::ArrayRef<at::Tensor> outputs) const = 0;
};

/// Runs block by block with the vector instructions of this CPU, on LibTorch's threads.
std::unique_ptr<FusedKernel> makeCpuKernel(Kernel kernel);

/// Compiled by NVRTC on its first run on a device. Throws Error if NVRTC is missing.
std::unique_ptr<FusedKernel> makeCudaKernel(Kernel kernel);

}  // namespace aotscope
