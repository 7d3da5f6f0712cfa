#include "compile/fused/cuda_expressions.h"

#include "support/error.h"

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace aotscope {

namespace {

/// What an opcode is written as: $0, $1, $2 are its operands, # is the f of functions of single precision.
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

/// With as many digits as tell it from others.
template <typename Real>
std::string digits(Real value) {
    std::array<char, 64> buffer{};
    std::string text(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string literal(double value, Lane lane) {
    const bool single = lane == Lane::f32;
    const bool finite = single ? std::isfinite(static_cast<float>(value)) : std::isfinite(value);
    if (finite) return single ? digits(static_cast<float>(value)) + "f" : digits(value);
    const std::string sign = !std::isnan(value) && value < 0 ? "-" : "";
    if (single) return sign + (std::isnan(value) ? "__int_as_float(0x7fc00000)" : "__int_as_float(0x7f800000)");
    return sign + (std::isnan(value) ? "__longlong_as_double(0x7ff8000000000000LL)"
                                     : "__longlong_as_double(0x7ff0000000000000LL)");
}

std::string literal(std::int64_t value, Lane lane) {
    if (lane == Lane::boolean) return value ? "true" : "false";
    if (value == std::numeric_limits<std::int64_t>::min()) return "-9223372036854775807LL - 1";
    return std::to_string(value) + "LL";
}

bool isReal(Lane lane) { return lane == Lane::f32 || lane == Lane::f64; }

/// A function or type of ours, and the text that defines it, which may use those before it.
struct Definition {
    std::string_view name, text;
};
constexpr Definition kDefinitions[] = {
    {"fromF16", R"(__device__ float fromF16(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}
)"},
    {"toF16", R"(__device__ unsigned short toF16(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
)"},
    {"fromBf16", R"(__device__ float fromBf16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }
)"},
    {"toBf16", R"(// Rounds to nearest, half to even.
__device__ unsigned short toBf16(float value) {
    const unsigned bits = __float_as_uint(value);
    return value != value ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
)"},
    {"floorDivide", R"(__device__ long long floorDivide(long long a, long long b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
template <typename T>
__device__ T floorDivide(T a, T b) {
    if (b == 0) return a / b;
    const T rest = fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return copysign(T(0), a / b);
    const T whole = floor(quotient);
    return quotient - whole > T(0.5) ? whole + 1 : whole;
}
)"},
    {"floorRemainder", R"(__device__ long long floorRemainder(long long a, long long b) {
    const long long rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
template <typename T>
__device__ T floorRemainder(T a, T b) {
    const T rest = fmod(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
)"},
    {"integerPower", R"(__device__ long long integerPower(long long base, long long exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    long long result = 1;
    for (; exponent; exponent /= 2, base *= base)
        if (exponent % 2) result *= base;
    return result;
}
)"},
    {"minimum", R"(template <typename T>
__device__ T minimum(T a, T b) { return a != a || a < b ? a : b; }
)"},
    {"maximum", R"(template <typename T>
__device__ T maximum(T a, T b) { return a != a || a > b ? a : b; }
)"},
    {"Sum", R"(struct Sum {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a + b; }
};
)"},
    {"Product", R"(struct Product {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a * b; }
};
)"},
    {"Least", R"(struct Least {
    template <typename T>
    __device__ T operator()(T a, T b) const { return minimum(a, b); }
};
)"},
    {"Greatest", R"(struct Greatest {
    template <typename T>
    __device__ T operator()(T a, T b) const { return maximum(a, b); }
};
)"},
    {"reduceRow", R"(// One value of the threads that have the same y: a warp, or all warps of a block with one row.
template <typename T, typename Combine>
__device__ T reduceRow(T value, Combine combine) {
    for (int distance = 16; distance > 0; distance /= 2)
        value = combine(value, (T)__shfl_xor_sync(0xffffffffu, value, distance));
    if (blockDim.x == 32) return value;
    __shared__ T ofWarp[32];
    __syncthreads();  // an earlier call may still be reading
    if (threadIdx.x % 32 == 0) ofWarp[threadIdx.x / 32] = value;
    __syncthreads();
    value = ofWarp[0];
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = combine(value, ofWarp[warp]);
    return value;
}
)"},
    {"reduceColumn", R"(// One value of the threads that have the same x.
template <typename T, typename Combine>
__device__ T reduceColumn(T value, Combine combine) {
    __shared__ T ofThread[kThreads];
    __syncthreads();  // an earlier call may still be reading
    ofThread[threadIdx.y * 32 + threadIdx.x] = value;
    __syncthreads();
    value = ofThread[threadIdx.x];
    for (unsigned y = 1; y < blockDim.y; ++y) value = combine(value, ofThread[y * 32 + threadIdx.x]);
    return value;
}
)"},
    {"Pack", R"(template <typename T, int count>
struct alignas(sizeof(T) * count) Pack {
    T of[count];
};
)"},
};

/// Whether `word` stands in `text` by itself.
bool hasWord(std::string_view text, std::string_view word) {
    const auto isPart = [&](std::size_t i) { return i < text.size() && (std::isalnum(text[i]) || text[i] == '_'); };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (!(at > 0 && isPart(at - 1)) && !isPart(at + word.size())) return true;
    return false;
}

}  // namespace

std::string cudaType(Lane lane) {
    switch (lane) {
        case Lane::f32: return "float";
        case Lane::f64: return "double";
        case Lane::i64: return "long long";
        case Lane::boolean: return "bool";
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
            throw Error("kernels for a GPU do not compute with elements of type " + std::string(longName(dtype)) +
                        "; leave such operations to LibTorch");
    }
}

std::string cudaLoaded(const std::string& text, DType dtype, Lane lane) {
    if (dtype == DType::f16) return "fromF16(" + text + ")";
    if (dtype == DType::bf16) return "fromBf16(" + text + ")";
    if (dtype == DType::b8) return text + " != 0";
    const std::string type = cudaType(lane);
    return cudaType(dtype) == type ? text : "(" + type + ")" + text;
}

std::string cudaStored(const std::string& text, Lane lane, DType dtype) {
    if (dtype == DType::f16) return "toF16(" + text + ")";
    if (dtype == DType::bf16) return "toBf16(" + text + ")";
    if (dtype == DType::b8) return lane == Lane::boolean ? text : "(bool)" + text;
    const std::string type = cudaType(dtype);
    return cudaType(lane) == type ? text : "(" + type + ")" + text;
}

std::string cudaExpression(const Kernel& kernel, const Instruction& instruction) {
    const std::string first = "v" + std::to_string(instruction.operands[0]);
    switch (instruction.op) {
        case Opcode::number: return "(" + cudaType(instruction.lane) + ")n" + std::to_string(instruction.index);
        case Opcode::constant:
            return isReal(instruction.lane) ? literal(instruction.real, instruction.lane)
                                            : literal(instruction.integer, instruction.lane);
        case Opcode::convert: return "(" + cudaType(instruction.lane) + ")" + first;
        case Opcode::narrow:
            return cudaLoaded(cudaStored(first, instruction.lane, instruction.dtype), instruction.dtype,
                              instruction.lane);
        default: break;
    }
    // Comparisons and the like have results of another lane.
    const Lane lane = kernel.code[static_cast<std::size_t>(instruction.operands[0])].lane;
    if (instruction.op == Opcode::bitNot) return (lane == Lane::boolean ? "!" : "~") + first;
    for (const Pattern& pattern : kPatterns)
        if (pattern.op == instruction.op)
            return filled(isReal(lane) ? pattern.floating : pattern.integer, instruction, lane == Lane::f32);
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

std::string cudaIdentity(Opcode reduction, Lane lane) {
    const bool least = reduction == Opcode::reduceMin;
    const double real = reduction == Opcode::reduceSum    ? 0
                        : reduction == Opcode::reduceProd ? 1
                                                          : std::numeric_limits<double>::infinity() * (least ? 1 : -1);
    if (isReal(lane)) return literal(real, lane);
    if (std::isfinite(real)) return literal(static_cast<std::int64_t>(real), lane);
    using Limits = std::numeric_limits<std::int64_t>;
    if (lane == Lane::boolean) return literal(std::int64_t{least}, lane);
    return literal(least ? Limits::max() : Limits::min(), lane);
}

std::string cudaFunctions(const std::string& body) {
    std::string text;
    for (auto entry = std::rbegin(kDefinitions); entry != std::rend(kDefinitions); ++entry)
        if (hasWord(body, entry->name) || hasWord(text, entry->name)) text = std::string(entry->text) + "\n" + text;
    return text;
}

}  // namespace aotscope
