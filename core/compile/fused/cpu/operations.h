#pragma once

// The table of all operations for the instruction set that CPU_CAPABILITY names.

#include "compile/fused/cpu/gathers.h"
#include "compile/fused/cpu/maps.h"
#include "compile/fused/cpu/reductions.h"
#include "compile/fused/cpu/vectors.h"

namespace aotscope::CPU_CAPABILITY {

inline MapFunction integerMap(Opcode op) {
    using I = std::int64_t;
    switch (op) {
        case Opcode::add: return map2<Add, I, I>;
        case Opcode::sub: return map2<Sub, I, I>;
        case Opcode::mul: return map2<Mul, I, I>;
        case Opcode::floorDivide: return divide<FloorDivide>;
        case Opcode::truncDivide: return divide<TruncDivide>;
        case Opcode::fmod: return divide<Fmod>;
        case Opcode::remainder: return divide<Remainder>;
        case Opcode::pow: return map2<Pow, I, I>;
        case Opcode::minimum: return map2<Minimum, I, I>;
        case Opcode::maximum: return map2<Maximum, I, I>;
        case Opcode::bitAnd: return map2<BitAnd, I, I>;
        case Opcode::bitOr: return map2<BitOr, I, I>;
        case Opcode::bitXor: return map2<BitXor, I, I>;
        case Opcode::bitNot: return map1<BitNot, I, I>;
        case Opcode::neg: return map1<Neg, I, I>;
        case Opcode::abs: return map1<Abs, I, I>;
        case Opcode::sign: return map1<Sign, I, I>;
        default: return nullptr;
    }
}

inline MapFunction booleanMap(Opcode op) {
    using B = std::uint8_t;
    switch (op) {
        case Opcode::minimum:
        case Opcode::bitAnd: return map2<BitAnd, B, B>;
        case Opcode::maximum:
        case Opcode::bitOr: return map2<BitOr, B, B>;
        case Opcode::bitXor: return map2<BitXor, B, B>;
        case Opcode::bitNot: return map1<BitNot, B, B>;
        default: return nullptr;
    }
}

template <class T>
MapFunction floatingMap(Opcode op) {
    switch (op) {
        case Opcode::add: return map2<Add, T, T>;
        case Opcode::sub: return map2<Sub, T, T>;
        case Opcode::mul: return map2<Mul, T, T>;
        case Opcode::div: return map2<Div, T, T>;
        case Opcode::floorDivide: return map2<FloorDivide, T, T>;
        case Opcode::truncDivide: return vectors2<VectorTruncDivide, T>;
        case Opcode::fmod: return vectors2<VectorFmod, T>;
        case Opcode::remainder: return vectors2<VectorRemainder, T>;
        case Opcode::pow: return vectors2<VectorPow, T>;
        case Opcode::atan2: return vectors2<VectorAtan2, T>;
        case Opcode::hypot: return vectors2<VectorHypot, T>;
        case Opcode::copysign: return vectors2<VectorCopysign, T>;
        case Opcode::minimum: return map2<Minimum, T, T>;
        case Opcode::maximum: return map2<Maximum, T, T>;
        case Opcode::neg: return map1<Neg, T, T>;
        case Opcode::abs: return map1<Abs, T, T>;
        case Opcode::sign: return map1<Sign, T, T>;
        case Opcode::isNan: return map1<IsNan, T, std::uint8_t>;
        case Opcode::isInf: return map1<IsInf, T, std::uint8_t>;
        case Opcode::reciprocal: return vectors1<Reciprocal, T>;
        case Opcode::sqrt: return vectors1<Sqrt, T>;
        case Opcode::rsqrt: return vectors1<Rsqrt, T>;
        case Opcode::exp: return vectors1<Exp, T>;
        case Opcode::exp2: return vectors1<Exp2, T>;
        case Opcode::expm1: return vectors1<Expm1, T>;
        case Opcode::log: return vectors1<Log, T>;
        case Opcode::log2: return vectors1<Log2, T>;
        case Opcode::log10: return vectors1<Log10, T>;
        case Opcode::log1p: return vectors1<Log1p, T>;
        case Opcode::sin: return vectors1<Sin, T>;
        case Opcode::cos: return vectors1<Cos, T>;
        case Opcode::tan: return vectors1<Tan, T>;
        case Opcode::asin: return vectors1<Asin, T>;
        case Opcode::acos: return vectors1<Acos, T>;
        case Opcode::atan: return vectors1<Atan, T>;
        case Opcode::sinh: return vectors1<Sinh, T>;
        case Opcode::cosh: return vectors1<Cosh, T>;
        case Opcode::tanh: return vectors1<Tanh, T>;
        case Opcode::asinh: return vectors1<Asinh, T>;
        case Opcode::acosh: return vectors1<Acosh, T>;
        case Opcode::atanh: return vectors1<Atanh, T>;
        case Opcode::erf: return vectors1<Erf, T>;
        case Opcode::erfc: return vectors1<Erfc, T>;
        case Opcode::gelu: return vectors1<Gelu, T>;
        case Opcode::geluSlope: return vectors1<GeluSlope, T>;
        case Opcode::sigmoid: return vectors1<Sigmoid, T>;
        case Opcode::floor: return vectors1<Floor, T>;
        case Opcode::ceil: return vectors1<Ceil, T>;
        case Opcode::round: return vectors1<Round, T>;
        case Opcode::trunc: return vectors1<Trunc, T>;
        default: return nullptr;
    }
}

template <class T>
MapFunction comparison(Opcode op) {
    using B = std::uint8_t;
    switch (op) {
        case Opcode::equal: return map2<std::equal_to<T>, T, B>;
        case Opcode::notEqual: return map2<std::not_equal_to<T>, T, B>;
        case Opcode::less: return map2<std::less<T>, T, B>;
        case Opcode::lessEqual: return map2<std::less_equal<T>, T, B>;
        case Opcode::greater: return map2<std::greater<T>, T, B>;
        case Opcode::greaterEqual: return map2<std::greater_equal<T>, T, B>;
        default: return nullptr;
    }
}

inline MapFunction conversion(ComputeType to, ComputeType from) {
    return withStored(to, [from](auto* target) {
        return withStored(from, [](auto* source) -> MapFunction {
            using To = std::remove_pointer_t<decltype(target)>;
            using From = std::remove_pointer_t<decltype(source)>;
            return map1<Convert<To>, From, To>;
        });
    });
}

inline MapFunction mapOf(Opcode op, ComputeType result, ComputeType operand) {
    if (op == Opcode::convert) return conversion(result, operand);
    return withStored(op == Opcode::where ? result : operand, [op](auto* type) -> MapFunction {
        using T = std::remove_pointer_t<decltype(type)>;
        if (op == Opcode::where) return where<T>;
        if (op >= Opcode::equal && op <= Opcode::greaterEqual) return comparison<T>(op);
        if constexpr (std::is_floating_point_v<T>) return floatingMap<T>(op);
        else if constexpr (std::is_same_v<T, std::int64_t>) return integerMap(op);
        else return booleanMap(op);
    });
}

template <class T>
MapFunction integerThrough() {
    return map1<Through<T>, std::int64_t, std::int64_t>;
}

inline MapFunction narrowOf(ComputeType computeType, DType dtype) {
    if (computeType == ComputeType::f32 && dtype == DType::f16) return narrowFloats<c10::Half>;
    if (computeType == ComputeType::f32 && dtype == DType::bf16) return narrowFloats<c10::BFloat16>;
    if (computeType == ComputeType::f64 && dtype == DType::f32) return map1<Through<float>, double, double>;
    if (computeType == ComputeType::f64 && dtype == DType::f16) return map1<Through<c10::Half>, double, double>;
    if (computeType == ComputeType::f64 && dtype == DType::bf16) return map1<Through<c10::BFloat16>, double, double>;
    if (computeTypeOf(dtype) != computeType) return nullptr;
    switch (dtype) {
        case DType::u8: return integerThrough<std::uint8_t>();
        case DType::i8: return integerThrough<std::int8_t>();
        case DType::i16: return integerThrough<std::int16_t>();
        case DType::i32: return integerThrough<std::int32_t>();
        case DType::u16: return integerThrough<std::uint16_t>();
        case DType::u32: return integerThrough<std::uint32_t>();
        default: return conversion(computeType, computeType);
    }
}

template <bool rows>
ReduceFunction reduction(Opcode op, ComputeType computeType) {
    const bool boolean = computeType == ComputeType::boolean;
    switch (op) {
        case Opcode::reduceSum: return boolean ? nullptr : reduceOf<Add, VectorAdd>(computeType, rows);
        case Opcode::reduceProd: return boolean ? nullptr : reduceOf<Mul, VectorMul>(computeType, rows);
        case Opcode::reduceMin: return reduceOf<Minimum, VectorMinimum>(computeType, rows);
        case Opcode::reduceMax: return reduceOf<Maximum, VectorMaximum>(computeType, rows);
        default: return nullptr;
    }
}

// NOLINTNEXTLINE(misc-definitions-in-headers): one source for each set of vector instructions includes this
const CpuFunctions& functions() {
    static constexpr CpuFunctions table{mapOf,        narrowOf,          loadOf,          storeOf,         gatherOf,
                                        accumulateOf, kAccumulateMemory, reduction<true>, reduction<false>};
    return table;
}

}  // namespace aotscope::CPU_CAPABILITY
