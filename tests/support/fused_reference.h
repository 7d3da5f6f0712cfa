#pragma once

#include "compile/fused/kernel.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <string>
#include <vector>

namespace aotscope::test {

inline at::ScalarType scalarType(DType dtype) { return static_cast<at::ScalarType>(dtype); }
at::ScalarType scalarType(ComputeType computeType);

/// A kernel under construction. Functions return the number of the instruction.
struct KernelMaker {
    Kernel kernel;
    int load(DType dtype, ComputeType computeType);
    int number(ComputeType computeType);
    int constant(ComputeType computeType, double value);
    int op(Opcode op, ComputeType computeType, std::initializer_list<int> operands);
    void output(int value, DType dtype) { kernel.outputs.push_back({value, dtype}); }
};

/// Likewise by LibTorch's functions, one instruction after the other.
at::Tensor applyByLibTorch(const Instruction& instruction, const std::vector<at::Tensor>& operands,
                           c10::IntArrayRef reduced);
/// `outputs` are what the kernel accumulates into; they are not changed, but the results have what is added.
std::vector<at::Tensor> runByLibTorch(const Kernel& kernel, const std::vector<at::Tensor>& inputs,
                                      const std::vector<c10::Scalar>& numbers, c10::IntArrayRef space,
                                      const std::vector<at::Tensor>& outputs = {});

/// Outputs for a kernel, without gaps and filled with a value that no result has.
std::vector<at::Tensor> emptyOutputs(const Kernel& kernel, c10::IntArrayRef space);

/// The difference between two results, or nothing. A tolerance of zero requires equal numbers.
std::string difference(const at::Tensor& result, const at::Tensor& expected, double tolerance);

}  // namespace aotscope::test
