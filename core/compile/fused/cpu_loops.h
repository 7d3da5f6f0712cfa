#pragma once

// What the operations of fused kernels have in common. Compiled once for each set of vector instructions, so that all
// of it is in a namespace of that set.

#include "compile/fused/cpu_functions.h"

#include <ATen/cpu/vec/functional.h>
#include <ATen/cpu/vec/vec.h>

namespace aotscope::CPU_CAPABILITY {

using at::vec::Vectorized;

/// How a lane is stored.
template <Lane lane>
struct Stored;
template <>
struct Stored<Lane::f32> {
    using Type = float;
};
template <>
struct Stored<Lane::f64> {
    using Type = double;
};
template <>
struct Stored<Lane::i64> {
    using Type = std::int64_t;
};
template <>
struct Stored<Lane::boolean> {
    using Type = std::uint8_t;
};

/// Calls `f` with a null pointer to the type in which a lane is stored.
template <class F>
auto withStored(Lane lane, F f) {
    switch (lane) {
        case Lane::f32: return f(static_cast<float*>(nullptr));
        case Lane::f64: return f(static_cast<double*>(nullptr));
        case Lane::i64: return f(static_cast<std::int64_t*>(nullptr));
        default: return f(static_cast<std::uint8_t*>(nullptr));
    }
}

template <class T>
const T* rowOf(const TileOperand& operand, std::int64_t row) {
    return reinterpret_cast<const T*>(operand.data + row * operand.rowStep);
}
template <class T>
T* rowOf(char* out, std::int64_t outStep, std::int64_t row) {
    return reinterpret_cast<T*>(out + row * outStep);
}

// Loops that the compiler turns into vector instructions. Results may overwrite operands element by element, which does
// not hinder it.

template <class F, class A, class Out>
void map1(char* out, std::int64_t outStep, const TileOperand* in, std::int64_t rows, std::int64_t n) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const A* a = rowOf<A>(in[0], r);
        Out* o = rowOf<Out>(out, outStep, r);
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) o[i] = F()(a[i]);
    }
}

template <class F, class A, class Out, bool varyA, bool varyB>
void map2Rows(char* out, std::int64_t outStep, const TileOperand* in, std::int64_t rows, std::int64_t n) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const A *a = rowOf<A>(in[0], r), *b = rowOf<A>(in[1], r);
        Out* o = rowOf<Out>(out, outStep, r);
        const A a0 = *a, b0 = *b;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) o[i] = F()(varyA ? a[i] : a0, varyB ? b[i] : b0);
    }
}

template <class F, class A, class Out>
void map2(char* out, std::int64_t outStep, const TileOperand* in, std::int64_t rows, std::int64_t n) {
    if (!in[0].varies) map2Rows<F, A, Out, false, true>(out, outStep, in, rows, n);
    else if (!in[1].varies) map2Rows<F, A, Out, true, false>(out, outStep, in, rows, n);
    else map2Rows<F, A, Out, true, true>(out, outStep, in, rows, n);
}

// Loops over functions of whole vectors.

template <class F, class T>
void vectors1(char* out, std::int64_t outStep, const TileOperand* in, std::int64_t rows, std::int64_t n) {
    using V = Vectorized<T>;
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* a = rowOf<T>(in[0], r);
        T* o = rowOf<T>(out, outStep, r);
        std::int64_t i = 0;
        for (; i + V::size() <= n; i += V::size()) F()(V::loadu(a + i)).store(o + i);
        if (i < n) F()(V::loadu(a + i, n - i)).store(o + i, static_cast<int>(n - i));
    }
}

template <class F, class T>
void vectors2(char* out, std::int64_t outStep, const TileOperand* in, std::int64_t rows, std::int64_t n) {
    using V = Vectorized<T>;
    for (std::int64_t r = 0; r < rows; ++r) {
        const T *a = rowOf<T>(in[0], r), *b = rowOf<T>(in[1], r);
        T* o = rowOf<T>(out, outStep, r);
        const V a0(*a), b0(*b);
        std::int64_t i = 0;
        for (; i + V::size() <= n; i += V::size())
            F()(in[0].varies ? V::loadu(a + i) : a0, in[1].varies ? V::loadu(b + i) : b0).store(o + i);
        if (i < n) F()
        (in[0].varies ? V::loadu(a + i, n - i) : a0, in[1].varies ? V::loadu(b + i, n - i) : b0)
            .store(o + i, static_cast<int>(n - i));
    }
}

}  // namespace aotscope::CPU_CAPABILITY
