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
    gather,    ///< an element of the input `index`, its operands (1 to 3) offsets along indexed dimensions
    offset,    ///< the offset, in elements, of an index into an indexed dimension; checks it by `rule`
    position,  ///< i64: the position along `dimension` of the space
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
inline bool readsInput(Opcode op) { return op == Opcode::load || op == Opcode::gather; }

/// Which indices are valid for a dimension, and the error for others.
enum class IndexRule : std::uint8_t {
    wraps,    ///< negative ones count from the end
    counts,   ///< from zero only
    embedded  ///< the same, with the error of aten.embedding
};

/// One operation of a kernel; its index names its result.
struct Instruction {
    Opcode op = Opcode::constant;
    ComputeType computeType = ComputeType::f32;
    std::array<std::int32_t, 3> operands{-1, -1, -1};  ///< earlier instructions
    std::int32_t index = 0;
    DType dtype = DType::f32;
    double real = 0;
    std::int64_t integer = 0;
    std::int32_t dimension = 0;  ///< of the space, or of the tensor that `offset` indexes, as errors call it
    std::int32_t indexed =
        0;  ///< of `offset`: the place among the indexed dimensions of input `index` or output -1 - `index`
    IndexRule rule = IndexRule::wraps;
    bool operator==(const Instruction&) const = default;
};

struct KernelOutput {
    std::int32_t value = -1;  ///< an instruction
    DType dtype = DType::f32;
    /// If any: adds `value` to what the tensor has at these offsets along its indexed dimensions.
    std::array<std::int32_t, 3> offsets{-1, -1, -1};
    bool accumulates() const { return offsets[0] >= 0; }
    bool operator==(const KernelOutput&) const = default;
};

/// Operations that run as one. Their space has `rank` dimensions, of which its reductions reduce those in `reduced`. A
/// value exists for every position of the space or, if it depends only on reductions and on values that do not vary
/// along `reduced`, for every position of the kept dimensions; an operation on both kinds repeats the latter. Sizes are
/// not part of a kernel.
struct Kernel {
    int rank = 0;
    std::vector<int> reduced;     ///< ascending; empty: pointwise operations only
    std::vector<int> sequential;  ///< ascending: along these, positions accumulate in order; none if `reduced`
    std::vector<DType> inputs;  ///< tensors of `rank` dimensions that can be expanded to the space, then those indexed
    std::vector<ComputeType> numbers;  ///< f64 or i64
    std::vector<Instruction> code;
    std::vector<KernelOutput> outputs;  ///< full size, or of size 1 in the reduced dimensions if `keptOnly` holds
    bool operator==(const Kernel&) const = default;
};

/// For each instruction, whether it has one value for every position of the kept dimensions: reductions, numbers,
/// constants, and whatever depends on these alone. Loads and positions count as varying.
std::vector<bool> keptOnly(const Kernel& kernel);

/// How many dimensions of input `tensor`, or of output -1 - `tensor`, are indexed.
int indexedDimensions(const Kernel& kernel, std::int32_t tensor);
/// The dimensions of the space whose positions instructions need, ascending.
std::vector<int> countedDimensions(const Kernel& kernel);

/// The stage of a reducing kernel at which each value is available. Stage s is a loop over the reduced dimensions,
/// which computes the reductions of stage s + 1; varying values are computed again in every stage that needs them.
std::vector<int> stagesOf(const Kernel& kernel);

}  // namespace aotscope
