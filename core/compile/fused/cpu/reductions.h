#pragma once

// Reductions of tiles.

#include "compile/fused/cpu/maps.h"

#include <array>

namespace aotscope::CPU_CAPABILITY {

struct VectorAdd {
    template <class V>
    V operator()(const V& a, const V& b) const {
        return a + b;
    }
};
struct VectorMul {
    template <class V>
    V operator()(const V& a, const V& b) const {
        return a * b;
    }
};
struct VectorMinimum {
    template <class V>
    V operator()(const V& a, const V& b) const {
        return at::vec::minimum(a, b);
    }
};
struct VectorMaximum {
    template <class V>
    V operator()(const V& a, const V& b) const {
        return at::vec::maximum(a, b);
    }
};

/// Distributes the elements of a row over four vectors: no chain of dependent operations, and partial sums.
template <class F, class VectorF, class T>
void vectorRows(char* accumulators, const TileOperand& in, std::int64_t rows, std::int64_t n) {
    using V = Vectorized<T>;
    constexpr std::int64_t width = V::size();
    for (std::int64_t r = 0; r < rows; ++r) {
        T& total = reinterpret_cast<T*>(accumulators)[r];
        const T* a = rowOf<T>(in, r);
        std::int64_t i = 0;
        if (n >= 4 * width) {
            std::array<V, 4> part;
            for (int j = 0; j < 4; ++j) part[j] = V::loadu(a + j * width);
            for (i = 4 * width; i + 4 * width <= n; i += 4 * width)
                for (int j = 0; j < 4; ++j) part[j] = VectorF()(part[j], V::loadu(a + i + j * width));
            for (; i + width <= n; i += width) part[0] = VectorF()(part[0], V::loadu(a + i));
            const V all = VectorF()(VectorF()(part[0], part[1]), VectorF()(part[2], part[3]));
            total = F()(total, at::vec::vec_reduce_all<T>([](auto& x, auto& y) { return VectorF()(x, y); }, all));
        } else if (n >= width) {
            V all = V::loadu(a);
            for (i = width; i + width <= n; i += width) all = VectorF()(all, V::loadu(a + i));
            total = F()(total, at::vec::vec_reduce_all<T>([](auto& x, auto& y) { return VectorF()(x, y); }, all));
        }
        for (; i < n; ++i) total = F()(total, a[i]);
    }
}

/// A tile is reduced by itself before it is added to the total: the error of a long sum grows with the number of tiles
/// rather than of rows.
template <class F, class VectorF, class T>
void vectorColumns(char* accumulators, const TileOperand& in, std::int64_t rows, std::int64_t n) {
    using V = Vectorized<T>;
    T* totals = reinterpret_cast<T*>(accumulators);
    if (rows == 0) return;
    std::int64_t i = 0;
    for (; i + V::size() <= n; i += V::size()) {
        V tile = V::loadu(rowOf<T>(in, 0) + i);
        for (std::int64_t r = 1; r < rows; ++r) tile = VectorF()(tile, V::loadu(rowOf<T>(in, r) + i));
        VectorF()(V::loadu(totals + i), tile).store(totals + i);
    }
    for (; i < n; ++i) {
        T tile = rowOf<T>(in, 0)[i];
        for (std::int64_t r = 1; r < rows; ++r) tile = F()(tile, rowOf<T>(in, r)[i]);
        totals[i] = F()(totals[i], tile);
    }
}

template <class F, class T>
void plainRows(char* accumulators, const TileOperand& in, std::int64_t rows, std::int64_t n) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* a = rowOf<T>(in, r);
        T total = reinterpret_cast<T*>(accumulators)[r];
        for (std::int64_t i = 0; i < n; ++i) total = F()(total, a[i]);
        reinterpret_cast<T*>(accumulators)[r] = total;
    }
}

template <class F, class T>
void plainColumns(char* accumulators, const TileOperand& in, std::int64_t rows, std::int64_t n) {
    T* totals = reinterpret_cast<T*>(accumulators);
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* a = rowOf<T>(in, r);
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) totals[i] = F()(totals[i], a[i]);
    }
}

template <class F, class VectorF>
ReduceFunction reduceOf(ComputeType computeType, bool rows) {
    return withStored(computeType, [&](auto* type) -> ReduceFunction {
        using T = std::remove_pointer_t<decltype(type)>;
        if constexpr (std::is_floating_point_v<T>)
            return rows ? vectorRows<F, VectorF, T> : vectorColumns<F, VectorF, T>;
        else return rows ? plainRows<F, T> : plainColumns<F, T>;
    });
}

}  // namespace aotscope::CPU_CAPABILITY
