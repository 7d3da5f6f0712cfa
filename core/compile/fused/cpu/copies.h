#pragma once

// Copies between tensors and compute types.

#include "compile/fused/cpu/loops.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <type_traits>

namespace aotscope::CPU_CAPABILITY {

template <class T>
constexpr bool isHalf = std::is_same_v<T, c10::Half> || std::is_same_v<T, c10::BFloat16>;

/// Contiguous elements; half types use LibTorch's vector conversions.
template <class To, class From>
void convertRow(To* to, const From* from, std::int64_t n) {
    std::int64_t i = 0;
    using Floats = Vectorized<float>;
    constexpr std::int64_t floats = Floats::size();
    if constexpr (isHalf<From> && std::is_same_v<To, float>) {
        for (; i + 2 * floats <= n; i += 2 * floats) {
            const auto [low, high] = at::vec::convert_to_float<From>(Vectorized<From>::loadu(from + i));
            low.store(to + i);
            high.store(to + i + floats);
        }
    } else if constexpr (isHalf<To> && std::is_same_v<From, float>) {
        for (; i + 2 * floats <= n; i += 2 * floats)
            at::vec::convert_from_float<To>(Floats::loadu(from + i), Floats::loadu(from + i + floats)).store(to + i);
    }
#pragma omp simd
    for (std::int64_t j = i; j < n; ++j) to[j] = static_cast<To>(from[j]);
}

template <class To, class From>
void copy(char* to, Strided toSteps, const char* from, Strided fromSteps, std::int64_t rows, std::int64_t n) {
    const bool dense = toSteps.step == sizeof(To) && fromSteps.step == sizeof(From);
    for (std::int64_t r = 0; r < rows; ++r, to += toSteps.rowStep, from += fromSteps.rowStep) {
        if (dense) {
            convertRow(reinterpret_cast<To*>(to), reinterpret_cast<const From*>(from), n);
            continue;
        }
        for (std::int64_t i = 0; i < n; ++i)
            *reinterpret_cast<To*>(to + i * toSteps.step) =
                static_cast<To>(*reinterpret_cast<const From*>(from + i * fromSteps.step));
    }
}

/// Through half precision and back, in pieces that stay in registers or nearly so.
template <class Half>
void narrowFloats(const TileMap& map) {
    constexpr std::int64_t piece = 64;
    alignas(64) Half halves[piece];
    for (std::int64_t r = 0; r < map.rows; ++r)
        for (std::int64_t i = 0; i < map.n; i += piece) {
            const std::int64_t count = std::min(piece, map.n - i);
            convertRow(halves, rowOf<float>(map.in[0], r) + i, count);
            convertRow(outRow<float>(map, r) + i, halves, count);
        }
}

/// Calls `f` with null pointers to a tensor's element type and to its compute type.
template <class Function, class F>
Function withElements(DType dtype, F f) {
    constexpr std::int64_t* whole = nullptr;
    switch (dtype) {
        case DType::f32: return f(static_cast<float*>(nullptr), static_cast<float*>(nullptr));
        case DType::f64: return f(static_cast<double*>(nullptr), static_cast<double*>(nullptr));
        case DType::f16: return f(static_cast<c10::Half*>(nullptr), static_cast<float*>(nullptr));
        case DType::bf16: return f(static_cast<c10::BFloat16*>(nullptr), static_cast<float*>(nullptr));
        case DType::b8: return f(static_cast<std::uint8_t*>(nullptr), static_cast<std::uint8_t*>(nullptr));
        case DType::u8: return f(static_cast<std::uint8_t*>(nullptr), whole);
        case DType::i8: return f(static_cast<std::int8_t*>(nullptr), whole);
        case DType::i16: return f(static_cast<std::int16_t*>(nullptr), whole);
        case DType::i32: return f(static_cast<std::int32_t*>(nullptr), whole);
        case DType::i64: return f(static_cast<std::int64_t*>(nullptr), whole);
        case DType::u16: return f(static_cast<std::uint16_t*>(nullptr), whole);
        case DType::u32: return f(static_cast<std::uint32_t*>(nullptr), whole);
        case DType::u64: return f(static_cast<std::uint64_t*>(nullptr), whole);
        default: return nullptr;
    }
}

inline CopyFunction loadOf(DType dtype) {
    return withElements<CopyFunction>(dtype, [](auto* element, auto* computeType) -> CopyFunction {
        return copy<std::remove_pointer_t<decltype(computeType)>, std::remove_pointer_t<decltype(element)>>;
    });
}

inline CopyFunction storeOf(DType dtype) {
    return withElements<CopyFunction>(dtype, [](auto* element, auto* computeType) -> CopyFunction {
        return copy<std::remove_pointer_t<decltype(element)>, std::remove_pointer_t<decltype(computeType)>>;
    });
}

}  // namespace aotscope::CPU_CAPABILITY
