#pragma once

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Registers the operators below ATen that PyTorch defines in Python (torch/_prims: "prims.fma") with LibTorch's
/// dispatcher, with kernels for every device composed of ATen's.
void registerPrims();

/// The operators used in rules.
namespace prims {

at::Tensor convertElementType(const at::Tensor& a, at::ScalarType type);
at::Tensor broadcastInDim(const at::Tensor& a, at::IntArrayRef shape, at::IntArrayRef dimensions);
at::Tensor iota(int64_t length, int64_t start, int64_t step, at::ScalarType type, at::Device device);
at::Tensor fma(const at::Tensor& a, const at::Tensor& b, const at::Tensor& c);
at::Tensor devicePut(const at::Tensor& a, at::Device device, bool nonBlocking);
std::tuple<at::Tensor, at::Tensor> maxPoolWithOffsets(const at::Tensor& self, at::IntArrayRef kernel,
                                                      at::IntArrayRef stride, at::IntArrayRef padding,
                                                      at::IntArrayRef dilation, bool ceilMode);
at::Tensor maxPoolOffsetsToIndices(const at::Tensor& offsets, at::IntArrayRef kernel, at::IntArrayRef inputSize,
                                   at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation);
at::Tensor transpose(const at::Tensor& a, at::IntArrayRef permutation);
/// "sum", "amax" or "amin".
at::Tensor reduce(const char* name, const at::Tensor& a, at::IntArrayRef dims);
at::Tensor var(const at::Tensor& a, at::IntArrayRef dims, double correction);
/// A pointwise operator of one to three operands of the same type: "add".
at::Tensor pointwise(const char* name, at::ArrayRef<at::Tensor> operands);

}  // namespace prims

}  // namespace aotscope
