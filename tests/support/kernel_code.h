#pragma once

#include "compile/fused/kernel.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace aotscope::test {

/// Writes kernels concisely: every function appends an instruction and returns its place.
struct Code {
    Kernel kernel;

    explicit Code(int rank, std::vector<int> reduced = {}) { kernel.rank = rank, kernel.reduced = std::move(reduced); }
    int add(Instruction instruction) {
        kernel.code.push_back(instruction);
        return static_cast<int>(kernel.code.size()) - 1;
    }
    int load(DType dtype, ComputeType computeType) {
        kernel.inputs.push_back(dtype);
        Instruction instruction{Opcode::load, computeType};
        instruction.index = static_cast<int>(kernel.inputs.size()) - 1;
        return add(instruction);
    }
    int number(ComputeType ofNumber, ComputeType computeType) {
        kernel.numbers.push_back(ofNumber);
        Instruction instruction{Opcode::number, computeType};
        instruction.index = static_cast<int>(kernel.numbers.size()) - 1;
        return add(instruction);
    }
    int constant(double value, ComputeType computeType = ComputeType::f32) {
        Instruction instruction{Opcode::constant, computeType};
        instruction.real = value;
        instruction.integer = static_cast<std::int64_t>(value);
        return add(instruction);
    }
    int op(Opcode op, ComputeType computeType, int a, int b = -1, int c = -1) {
        return add({op, computeType, {a, b, c}});
    }
    int f(Opcode which, int a, int b = -1, int c = -1) { return op(which, ComputeType::f32, a, b, c); }
    int narrow(DType dtype, ComputeType computeType, int a) {
        Instruction instruction{Opcode::narrow, computeType, {a, -1, -1}};
        instruction.dtype = dtype;
        return add(instruction);
    }
    void output(int value, DType dtype = DType::f32) { kernel.outputs.push_back({value, dtype}); }
};

/// gelu(x * 2 + b), with b in half precision.
Kernel geluOfSum(int rank);
Kernel softmaxKernel(int rank, std::vector<int> reduced, DType dtype = DType::f32);
/// Layer norm of x + residual: the sum in half precision, the result, the mean and 1 / deviation.
Kernel layerNorm();
Kernel sum(int rank, std::vector<int> reduced);

inline at::ScalarType typeOf(DType dtype) { return static_cast<at::ScalarType>(dtype); }
DType dtypeOf(ComputeType computeType);

/// A variety of values, including those at which functions differ.
at::Tensor values(ComputeType computeType);
/// The same for the second operand of an opcode: no integer zeros, both signs.
at::Tensor secondValues(ComputeType computeType);

/// Compares types and sizes, and values within the tolerance of their type.
bool close(const at::Tensor& a, const at::Tensor& b);

/// An opcode of one or two operands, as LibTorch computes it.
struct OpcodeCase {
    Opcode op;
    std::function<at::Tensor(const at::Tensor&, const at::Tensor&)> expected;
    ComputeType result(ComputeType computeType) const {
        const bool tests =
            (op >= Opcode::equal && op <= Opcode::greaterEqual) || op == Opcode::isNan || op == Opcode::isInf;
        return tests ? ComputeType::boolean : computeType;
    }
    bool takes(ComputeType computeType) const {
        const bool bits = op >= Opcode::bitAnd && op <= Opcode::bitXor;
        const bool compares = op >= Opcode::equal && op <= Opcode::greaterEqual;
        const bool bothKinds = op == Opcode::minimum || op == Opcode::maximum;
        const bool real = op >= Opcode::reciprocal || op == Opcode::div || op == Opcode::atan2 || op == Opcode::hypot ||
                          op == Opcode::copysign;
        if (computeType == ComputeType::boolean) return bits || compares || bothKinds || op == Opcode::bitNot;
        if (computeType == ComputeType::i64) return !real;
        return !bits && op != Opcode::bitNot;
    }
};
const std::vector<OpcodeCase>& opcodeCases();

/// All opcodes of one or two operands, and where, of two inputs of that compute type.
struct EveryOpcode {
    Kernel kernel;
    std::vector<at::Tensor> inputs, expected;
};
EveryOpcode everyOpcode(ComputeType computeType);

}  // namespace aotscope::test
