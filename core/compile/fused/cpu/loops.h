#pragma once

// What the operations of fused kernels share. Compiled once per instruction set, so everything is in a namespace of
// that set.

#include "compile/fused/cpu/functions.h"

#include <ATen/cpu/vec/functional.h>
#include <ATen/cpu/vec/vec.h>

namespace aotscope::CPU_CAPABILITY {

using at::vec::Vectorized;

/// How values of a compute type are stored.
template <ComputeType computeType>
struct Stored;
template <>
struct Stored<ComputeType::f32> {
    using Type = float;
};
template <>
struct Stored<ComputeType::f64> {
    using Type = double;
};
template <>
struct Stored<ComputeType::i64> {
    using Type = std::int64_t;
};
template <>
struct Stored<ComputeType::boolean> {
    using Type = std::uint8_t;
};

/// Calls `f` with a null pointer to the type in which values of a compute type are stored.
template <class F>
auto withStored(ComputeType computeType, F f) {
    switch (computeType) {
        case ComputeType::f32: return f(static_cast<float*>(nullptr));
        case ComputeType::f64: return f(static_cast<double*>(nullptr));
        case ComputeType::i64: return f(static_cast<std::int64_t*>(nullptr));
        default: return f(static_cast<std::uint8_t*>(nullptr));
    }
}

template <class T>
const T* rowOf(const TileOperand& operand, std::int64_t row) {
    return reinterpret_cast<const T*>(operand.data + row * operand.rowStep);
}
template <class T>
T* outRow(const TileMap& map, std::int64_t row) {
    return reinterpret_cast<T*>(map.out + row * map.outStep);
}

// Loops that the compiler vectorizes. Results may overwrite operands element by element, which does not prevent it.

template <class F, class A, class Out>
void map1(const TileMap& map) {
    for (std::int64_t r = 0; r < map.rows; ++r) {
        const A* a = rowOf<A>(map.in[0], r);
        Out* o = outRow<Out>(map, r);
        const std::int64_t n = map.n;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) o[i] = F()(a[i]);
    }
}

template <class F, class A, class Out, bool varyA, bool varyB>
void map2Rows(const TileMap& map) {
    for (std::int64_t r = 0; r < map.rows; ++r) {
        const A *a = rowOf<A>(map.in[0], r), *b = rowOf<A>(map.in[1], r);
        Out* o = outRow<Out>(map, r);
        const A a0 = *a, b0 = *b;
        const std::int64_t n = map.n;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) o[i] = F()(varyA ? a[i] : a0, varyB ? b[i] : b0);
    }
}

template <class F, class A, class Out>
void map2(const TileMap& map) {
    if (!map.in[0].varies) map2Rows<F, A, Out, false, true>(map);
    else if (!map.in[1].varies) map2Rows<F, A, Out, true, false>(map);
    else map2Rows<F, A, Out, true, true>(map);
}

// Loops over functions of whole vectors.

/// Unary functions mostly take longer than reading the operand, so they prefetch what comes next.
template <class F, class T>
void vectors1(const TileMap& map) {
    using V = Vectorized<T>;
    std::array<const char*, 3> ahead = map.ahead;
    for (const char*& place : ahead)
        if (!place) place = map.out;
    for (std::int64_t r = 0; r < map.rows; ++r) {
        const T* a = rowOf<T>(map.in[0], r);
        T* o = outRow<T>(map, r);
        const std::int64_t n = map.n;
        std::int64_t i = 0;
        for (; i + V::size() <= n; i += V::size()) {
            for (const char* place : ahead) __builtin_prefetch(place + (r * n + i) * sizeof(T));
            F()(V::loadu(a + i)).store(o + i);
        }
        if (i < n) F()(V::loadu(a + i, n - i)).store(o + i, static_cast<int>(n - i));
    }
}

template <class F, class T>
void vectors2(const TileMap& map) {
    using V = Vectorized<T>;
    const bool varyA = map.in[0].varies, varyB = map.in[1].varies;
    for (std::int64_t r = 0; r < map.rows; ++r) {
        const T *a = rowOf<T>(map.in[0], r), *b = rowOf<T>(map.in[1], r);
        T* o = outRow<T>(map, r);
        const V a0(*a), b0(*b);
        const std::int64_t n = map.n;
        std::int64_t i = 0;
        for (; i + V::size() <= n; i += V::size())
            F()(varyA ? V::loadu(a + i) : a0, varyB ? V::loadu(b + i) : b0).store(o + i);
        if (i < n) F()
        (varyA ? V::loadu(a + i, n - i) : a0, varyB ? V::loadu(b + i, n - i) : b0)
            .store(o + i, static_cast<int>(n - i));
    }
}

}  // namespace aotscope::CPU_CAPABILITY
