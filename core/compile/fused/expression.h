#pragma once

#include "compile/fused/kernel.h"

namespace aotscope {

class KernelBuilder;

/// A value of a kernel that is being built. Arithmetic on it adds instructions.
struct Expr {
    KernelBuilder* builder = nullptr;
    std::int32_t id = -1;
    ComputeType computeType = ComputeType::f32;
};

/// Whether operations on `dtype` become kernels: not for wide unsigned integers, for which LibTorch has few operations.
bool isKernelType(DType dtype);
/// The compute type of `dtype`, for which isKernelType is true.
ComputeType promotedType(DType dtype);

/// Appends instructions to a kernel. Equal instructions are merged.
class KernelBuilder {
public:
    Expr add(Instruction instruction);
    Expr load(std::size_t input, DType dtype);
    /// At offsets, one for each indexed dimension: three at most.
    Expr gather(std::size_t input, DType dtype, const std::vector<Expr>& offsets);
    Expr position(int dimension);
    Expr number(std::size_t index, ComputeType computeType);
    Expr constant(ComputeType computeType, double value);
    Expr constant(ComputeType computeType, std::int64_t value);

    Kernel kernel;
};

Expr convert(Expr a, ComputeType computeType);
/// Converts to `dtype`, in its compute type.
Expr convert(Expr a, DType dtype);

Expr apply(Opcode op, Expr a);
Expr apply(Opcode op, Expr a, Expr b);
Expr where(Expr condition, Expr a, Expr b);
/// A constant in the compute type of `like`.
Expr constantLike(Expr like, double value);

inline Expr operator+(Expr a, Expr b) { return apply(Opcode::add, a, b); }
inline Expr operator-(Expr a, Expr b) { return apply(Opcode::sub, a, b); }
inline Expr operator*(Expr a, Expr b) { return apply(Opcode::mul, a, b); }
inline Expr operator/(Expr a, Expr b) { return apply(Opcode::div, a, b); }
inline Expr operator<(Expr a, Expr b) { return apply(Opcode::less, a, b); }
inline Expr operator<=(Expr a, Expr b) { return apply(Opcode::lessEqual, a, b); }
inline Expr operator>(Expr a, Expr b) { return apply(Opcode::greater, a, b); }
inline Expr operator>=(Expr a, Expr b) { return apply(Opcode::greaterEqual, a, b); }
inline Expr operator&(Expr a, Expr b) { return apply(Opcode::bitAnd, a, b); }
inline Expr operator|(Expr a, Expr b) { return apply(Opcode::bitOr, a, b); }
inline Expr operator-(Expr a) { return apply(Opcode::neg, a); }
inline Expr operator!(Expr a) { return apply(Opcode::bitNot, a); }

inline Expr operator+(Expr a, double b) { return a + constantLike(a, b); }
inline Expr operator-(Expr a, double b) { return a - constantLike(a, b); }
inline Expr operator*(Expr a, double b) { return a * constantLike(a, b); }
inline Expr operator/(Expr a, double b) { return a / constantLike(a, b); }
inline Expr operator<(Expr a, double b) { return a < constantLike(a, b); }
inline Expr operator<=(Expr a, double b) { return a <= constantLike(a, b); }
inline Expr operator>(Expr a, double b) { return a > constantLike(a, b); }
inline Expr operator>=(Expr a, double b) { return a >= constantLike(a, b); }
inline Expr operator+(double a, Expr b) { return constantLike(b, a) + b; }
inline Expr operator-(double a, Expr b) { return constantLike(b, a) - b; }
inline Expr operator*(double a, Expr b) { return constantLike(b, a) * b; }

inline Expr abs(Expr a) { return apply(Opcode::abs, a); }
inline Expr exp(Expr a) { return apply(Opcode::exp, a); }
inline Expr expm1(Expr a) { return apply(Opcode::expm1, a); }
inline Expr log(Expr a) { return apply(Opcode::log, a); }
inline Expr log1p(Expr a) { return apply(Opcode::log1p, a); }
inline Expr sqrt(Expr a) { return apply(Opcode::sqrt, a); }
inline Expr gelu(Expr a) { return apply(Opcode::gelu, a); }
inline Expr geluSlope(Expr a) { return apply(Opcode::geluSlope, a); }
inline Expr tanh(Expr a) { return apply(Opcode::tanh, a); }
inline Expr sigmoid(Expr a) { return apply(Opcode::sigmoid, a); }
inline Expr isNan(Expr a) { return apply(Opcode::isNan, a); }
inline Expr minimum(Expr a, Expr b) { return apply(Opcode::minimum, a, b); }
inline Expr maximum(Expr a, Expr b) { return apply(Opcode::maximum, a, b); }
inline Expr reduceSum(Expr a) { return apply(Opcode::reduceSum, a); }
inline Expr reduceMax(Expr a) { return apply(Opcode::reduceMax, a); }
inline Expr reduceMin(Expr a) { return apply(Opcode::reduceMin, a); }

}  // namespace aotscope
