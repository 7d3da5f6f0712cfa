#include "compile/fused/cuda/expressions.h"

#include "support/error.h"
#include "support/formatted.h"

#include <cmath>
#include <limits>

namespace aotscope {

namespace {

/// The CUDA text of an opcode: $0, $1, $2 are its operands, # is the f suffix in single precision.
struct Pattern {
    Opcode op;
    std::string_view floating;
    std::string_view integer = floating;
};

constexpr Pattern kPatterns[] = {
    {Opcode::add, "$0 + $1"},
    {Opcode::sub, "$0 - $1"},
    {Opcode::mul, "$0 * $1"},
    {Opcode::div, "$0 / $1"},
    {Opcode::floorDivide, "floorDivide($0, $1)"},
    {Opcode::truncDivide, "trunc#($0 / $1)", "$0 / $1"},
    {Opcode::fmod, "fmod#($0, $1)", "$0 % $1"},
    {Opcode::remainder, "floorRemainder($0, $1)"},
    {Opcode::pow, "pow#($0, $1)", "integerPower($0, $1)"},
    {Opcode::atan2, "atan2#($0, $1)"},
    {Opcode::hypot, "hypot#($0, $1)"},
    {Opcode::copysign, "copysign#($0, $1)"},
    {Opcode::minimum, "minimum($0, $1)"},
    {Opcode::maximum, "maximum($0, $1)"},
    {Opcode::bitAnd, "$0 & $1"},
    {Opcode::bitOr, "$0 | $1"},
    {Opcode::bitXor, "$0 ^ $1"},
    {Opcode::equal, "$0 == $1"},
    {Opcode::notEqual, "$0 != $1"},
    {Opcode::less, "$0 < $1"},
    {Opcode::lessEqual, "$0 <= $1"},
    {Opcode::greater, "$0 > $1"},
    {Opcode::greaterEqual, "$0 >= $1"},
    {Opcode::neg, "-$0"},
    {Opcode::abs, "fabs#($0)", "$0 < 0 ? -$0 : $0"},
    {Opcode::sign, "($0 > 0) - ($0 < 0)"},
    {Opcode::reciprocal, "1 / $0"},
    {Opcode::sqrt, "sqrt#($0)"},
    {Opcode::rsqrt, "rsqrt#($0)"},
    {Opcode::exp, "exp#($0)"},
    {Opcode::exp2, "exp2#($0)"},
    {Opcode::expm1, "expm1#($0)"},
    {Opcode::log, "log#($0)"},
    {Opcode::log2, "log2#($0)"},
    {Opcode::log10, "log10#($0)"},
    {Opcode::log1p, "log1p#($0)"},
    {Opcode::sin, "sin#($0)"},
    {Opcode::cos, "cos#($0)"},
    {Opcode::tan, "tan#($0)"},
    {Opcode::asin, "asin#($0)"},
    {Opcode::acos, "acos#($0)"},
    {Opcode::atan, "atan#($0)"},
    {Opcode::sinh, "sinh#($0)"},
    {Opcode::cosh, "cosh#($0)"},
    {Opcode::tanh, "tanh#($0)"},
    {Opcode::asinh, "asinh#($0)"},
    {Opcode::acosh, "acosh#($0)"},
    {Opcode::atanh, "atanh#($0)"},
    {Opcode::erf, "erf#($0)"},
    {Opcode::erfc, "erfc#($0)"},
    {Opcode::gelu, "$0 * (1 + erf#($0 * 0.7071067811865476#)) / 2"},
    {Opcode::geluSlope, "(1 + erf#($0 * 0.7071067811865476#)) / 2 + $0 * exp#($0 * $0 / -2) * 0.3989422804014327#"},
    {Opcode::sigmoid, "1 / (1 + exp#(-$0))"},
    {Opcode::floor, "floor#($0)"},
    {Opcode::ceil, "ceil#($0)"},
    {Opcode::round, "rint#($0)"},  // half to even
    {Opcode::trunc, "trunc#($0)"},
    {Opcode::isNan, "$0 != $0"},
    {Opcode::isInf, "isinf($0)"},
    {Opcode::where, "$0 ? $1 : $2"},
};

std::string filled(std::string_view pattern, const Instruction& instruction, bool single) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (pattern[i] == '$')
            text += "v" + std::to_string(instruction.operands.at(static_cast<std::size_t>(pattern[++i] - '0')));
        else if (pattern[i] != '#') text += pattern[i];
        else if (single) text += 'f';
    return text;
}

std::string literal(double value, ComputeType computeType) {
    const bool single = computeType == ComputeType::f32;
    const bool finite = single ? std::isfinite(static_cast<float>(value)) : std::isfinite(value);
    if (finite) return single ? exactReal(static_cast<float>(value)) + "f" : exactReal(value);
    const std::string sign = !std::isnan(value) && value < 0 ? "-" : "";
    if (single) return sign + (std::isnan(value) ? "__int_as_float(0x7fc00000)" : "__int_as_float(0x7f800000)");
    return sign + (std::isnan(value) ? "__longlong_as_double(0x7ff8000000000000LL)"
                                     : "__longlong_as_double(0x7ff0000000000000LL)");
}

std::string literal(std::int64_t value, ComputeType computeType) {
    if (computeType == ComputeType::boolean) return value ? "true" : "false";
    if (value == std::numeric_limits<std::int64_t>::min()) return "-9223372036854775807LL - 1";
    return std::to_string(value) + "LL";
}

}  // namespace

std::string cudaType(ComputeType computeType) {
    switch (computeType) {
        case ComputeType::f32: return "float";
        case ComputeType::f64: return "double";
        case ComputeType::i64: return "long long";
        case ComputeType::boolean: return "bool";
    }
    return {};
}

std::string cudaType(DType dtype) {
    switch (dtype) {
        case DType::b8:
        case DType::u8: return "unsigned char";
        case DType::i8: return "signed char";
        case DType::f16:
        case DType::bf16:
        case DType::u16: return "unsigned short";
        case DType::i16: return "short";
        case DType::i32: return "int";
        case DType::u32: return "unsigned";
        case DType::i64: return "long long";
        case DType::u64: return "unsigned long long";
        case DType::f32: return "float";
        case DType::f64: return "double";
        default:
            throw Error("GPU kernels do not support the dtype " + std::string(longName(dtype)) +
                        "; leave such operations to LibTorch");
    }
}

std::string cudaLoaded(const std::string& text, DType dtype, ComputeType computeType) {
    if (dtype == DType::f16) return "fromF16(" + text + ")";
    if (dtype == DType::bf16) return "fromBf16(" + text + ")";
    if (dtype == DType::b8) return text + " != 0";
    const std::string type = cudaType(computeType);
    return cudaType(dtype) == type ? text : "(" + type + ")" + text;
}

std::string cudaStored(const std::string& text, ComputeType computeType, DType dtype) {
    if (dtype == DType::f16) return "toF16(" + text + ")";
    if (dtype == DType::bf16) return "toBf16(" + text + ")";
    if (dtype == DType::b8) return computeType == ComputeType::boolean ? text : "(bool)" + text;
    const std::string type = cudaType(dtype);
    return cudaType(computeType) == type ? text : "(" + type + ")" + text;
}

std::string cudaExpression(const Kernel& kernel, const Instruction& instruction) {
    const std::string first = "v" + std::to_string(instruction.operands[0]);
    switch (instruction.op) {
        case Opcode::number: return "(" + cudaType(instruction.computeType) + ")n" + std::to_string(instruction.index);
        case Opcode::constant:
            return isReal(instruction.computeType) ? literal(instruction.real, instruction.computeType)
                                                   : literal(instruction.integer, instruction.computeType);
        case Opcode::convert: return "(" + cudaType(instruction.computeType) + ")" + first;
        case Opcode::narrow:
            return cudaLoaded(cudaStored(first, instruction.computeType, instruction.dtype), instruction.dtype,
                              instruction.computeType);
        default: break;
    }
    // Results of comparisons and the like have another compute type.
    const ComputeType computeType = kernel.code[static_cast<std::size_t>(instruction.operands[0])].computeType;
    if (instruction.op == Opcode::bitNot) return (computeType == ComputeType::boolean ? "!" : "~") + first;
    for (const Pattern& pattern : kPatterns)
        if (pattern.op == instruction.op)
            return filled(isReal(computeType) ? pattern.floating : pattern.integer, instruction,
                          computeType == ComputeType::f32);
    check(false, "an opcode has no text in CUDA");
    return {};
}

std::string cudaCombiner(Opcode reduction) {
    switch (reduction) {
        case Opcode::reduceSum: return "Sum()";
        case Opcode::reduceProd: return "Product()";
        case Opcode::reduceMin: return "Least()";
        default: return "Greatest()";
    }
}

std::string cudaIdentity(Opcode reduction, ComputeType computeType) {
    const bool least = reduction == Opcode::reduceMin;
    const double real = reduction == Opcode::reduceSum    ? 0
                        : reduction == Opcode::reduceProd ? 1
                                                          : std::numeric_limits<double>::infinity() * (least ? 1 : -1);
    if (isReal(computeType)) return literal(real, computeType);
    if (std::isfinite(real)) return literal(static_cast<std::int64_t>(real), computeType);
    using Limits = std::numeric_limits<std::int64_t>;
    if (computeType == ComputeType::boolean) return literal(std::int64_t{least}, computeType);
    return literal(least ? Limits::max() : Limits::min(), computeType);
}

}  // namespace aotscope
