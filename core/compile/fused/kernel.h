#pragma once

#include "ir/types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace aotscope {

/// The type in which a value of a kernel is computed. f32 also serves float16 and bfloat16; i64 serves every integer.
enum class ComputeType : std::uint8_t { f32, f64, i64, boolean };
inline bool isReal(ComputeType computeType) {
    return computeType == ComputeType::f32 || computeType == ComputeType::f64;
}
/// Bytes of a value.
inline std::int64_t storedSize(ComputeType computeType) {
    return computeType == ComputeType::boolean ? 1 : computeType == ComputeType::f32 ? 4 : 8;
}
/// The type in which elements of a tensor are computed; nothing for complex and 8-bit floating-point numbers.
std::optional<ComputeType> computeTypeOf(DType dtype);
/// Whether values of that compute type are stored as they are, without narrowing.
inline bool storedAsComputed(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::i64 || dtype == DType::b8;
}

/// What an instruction of a kernel does. Results have the compute type of the operands unless noted otherwise.
/// Arithmetic is ATen's: minimum, maximum and reductions propagate NaN, round is half to even, and integers are never
/// divided by zero.
enum class Opcode : std::uint8_t {
    load,      ///< an element of the input `index`
    number,    ///< the number `index`, passed when the kernel is called
    constant,  ///< `real` (f32, f64) or `integer` (i64, boolean)
    convert,   ///< to the instruction's compute type
    narrow,    ///< to the precision of `dtype` and back
    // two operands
    add,
    sub,
    mul,
    div,          ///< f32, f64
    floorDivide,  ///< torch.div(rounding_mode="floor")
    truncDivide,  ///< torch.div(rounding_mode="trunc")
    fmod,         ///< the sign of the divisor
    remainder,    ///< the sign of the divisor
    pow,
    atan2,
    hypot,
    copysign,
    minimum,
    maximum,
    bitAnd,  ///< i64, boolean
    bitOr,
    bitXor,
    equal,  ///< comparisons: boolean results
    notEqual,
    less,
    lessEqual,
    greater,
    greaterEqual,
    // one operand
    bitNot,  ///< i64, boolean
    neg,
    abs,
    sign,
    reciprocal,  ///< f32, f64 only from here on
    sqrt,
    rsqrt,
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    erf,
    erfc,
    gelu,       ///< x times the standard normal probability below x
    geluSlope,  ///< its derivative
    sigmoid,
    floor,
    ceil,
    round,
    trunc,
    isNan,  ///< boolean results
    isInf,
    // three operands
    where,  ///< boolean, then two of the result's compute type
    // over the reduced dimensions; one result for each position of the others
    reduceSum,
    reduceProd,
    reduceMin,
    reduceMax,
};
std::string_view name(Opcode op);
/// The number of operands: 0 to 3.
int operandCount(Opcode op);
inline bool isReduction(Opcode op) { return op >= Opcode::reduceSum; }

/// One operation of a kernel; its index names its result.
struct Instruction {
    Opcode op = Opcode::constant;
    ComputeType computeType = ComputeType::f32;
    std::array<std::int32_t, 3> operands{-1, -1, -1};  ///< earlier instructions
    std::int32_t index = 0;
    DType dtype = DType::f32;
    double real = 0;
    std::int64_t integer = 0;
    bool operator==(const Instruction&) const = default;
};

struct KernelOutput {
    std::int32_t value = -1;  ///< an instruction
    DType dtype = DType::f32;
    bool operator==(const KernelOutput&) const = default;
};

/// Operations that run as one. Their space has `rank` dimensions, of which its reductions reduce those in `reduced`. A
/// value exists for every position of the space or, if it depends only on reductions and on values that do not vary
/// along `reduced`, for every position of the kept dimensions; an operation on both kinds repeats the latter. Sizes are
/// not part of a kernel.
struct Kernel {
    int rank = 0;
    std::vector<int> reduced;          ///< ascending; empty: pointwise operations only
    std::vector<DType> inputs;         ///< tensors of `rank` dimensions that can be expanded to the space
    std::vector<ComputeType> numbers;  ///< f64 or i64
    std::vector<Instruction> code;
    std::vector<KernelOutput> outputs;  ///< full size, or of size 1 in the reduced dimensions if `keptOnly` holds
    bool operator==(const Kernel&) const = default;
};

/// For each instruction, whether it has one value for every position of the kept dimensions: reductions, numbers,
/// constants, and whatever depends on these alone. Loads count as varying.
std::vector<bool> keptOnly(const Kernel& kernel);

/// The stage of a reducing kernel at which each value is available. Stage s is a loop over the reduced dimensions,
/// which computes the reductions of stage s + 1; varying values are computed again in every stage that needs them.
std::vector<int> stagesOf(const Kernel& kernel);

}  // namespace aotscope
