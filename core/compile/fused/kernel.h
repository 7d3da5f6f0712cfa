#pragma once

#include "ir/types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace aotscope {

/// As what a value of a kernel is computed. float stands for float16 and bfloat16, too; i64 for every integer.
enum class ComputeType : std::uint8_t { f32, f64, i64, boolean };
inline bool isReal(ComputeType computeType) {
    return computeType == ComputeType::f32 || computeType == ComputeType::f64;
}
/// Bytes of a value.
inline std::int64_t storedSize(ComputeType computeType) {
    return computeType == ComputeType::boolean ? 1 : computeType == ComputeType::f32 ? 4 : 8;
}
/// As what elements of a tensor are computed; none for complex and 8-bit floating-point numbers.
std::optional<ComputeType> computeTypeOf(DType dtype);
/// Whether values of that compute type are elements as they are, and need not be narrowed.
inline bool storedAsComputed(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::i64 || dtype == DType::b8;
}

/// What an instruction of a kernel does. Results have the compute type of the operands unless said otherwise, and
/// arithmetic is ATen's: minimum, maximum and reductions pass NaN on, round goes to even, divisions of integers by zero
/// are not made.
enum class Opcode : std::uint8_t {
    load,      ///< an element of the input `index`
    number,    ///< the number `index`, which is known when the kernel is called
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
    fmod,         ///< the sign of the dividend
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
    reciprocal,  ///< from here on f32, f64 only
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
    gelu,       ///< x times the part of the standard normal distribution that is below x
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
    // over the reduced dimensions; the result is one for each position of the others
    reduceSum,
    reduceProd,
    reduceMin,
    reduceMax,
};
std::string_view name(Opcode op);
/// How many operands it has: 0 to 3.
int operandCount(Opcode op);
inline bool isReduction(Opcode op) { return op >= Opcode::reduceSum; }

/// One operation of a kernel; its place in the list is the name of its result.
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

/// Operations that run as one. Their space has `rank` dimensions, those in `reduced` are summed up (or the like) by its
/// reductions. A value is there either for every position of the space, or, if it follows from reductions and from
/// what does not vary along `reduced`, for every position of the kept dimensions only; where one of the former meets
/// one of the latter, the latter is repeated. Sizes are not part of a kernel.
struct Kernel {
    int rank = 0;
    std::vector<int> reduced;          ///< ascending; empty: pointwise operations only
    std::vector<DType> inputs;         ///< tensors of `rank` dimensions that can be expanded to the space
    std::vector<ComputeType> numbers;  ///< f64 or i64
    std::vector<Instruction> code;
    std::vector<KernelOutput>
        outputs;  ///< full size, or of size 1 in the reduced dimensions if `keptOnly` is true of it
    bool operator==(const Kernel&) const = default;
};

/// For each instruction, whether its value is there once for every position of the kept dimensions: reductions,
/// numbers, constants, and what follows from such values alone. Loads count as varying.
std::vector<bool> keptOnly(const Kernel& kernel);

/// At which stage of a kernel that reduces each value is there. Stage s is a loop over the reduced dimensions, which
/// makes the reductions of stage s + 1; what varies is computed again in every stage that needs it.
std::vector<int> stagesOf(const Kernel& kernel);

}  // namespace aotscope
