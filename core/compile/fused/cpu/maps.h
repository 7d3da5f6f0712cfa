#pragma once

// Elementwise operations that the compiler vectorizes itself.

#include "compile/fused/cpu/loops.h"

#include <c10/util/Exception.h>
#include <c10/util/generic_math.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace aotscope::CPU_CAPABILITY {

/// Integers wrap around.
template <class T, class F>
T wrapping(T a, T b, F f) {
    if constexpr (std::is_same_v<T, std::int64_t>)
        return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    else return static_cast<T>(f(a, b));
}

struct Add {
    template <class T>
    T operator()(T a, T b) const {
        return wrapping(a, b, [](auto x, auto y) { return x + y; });
    }
};
struct Sub {
    template <class T>
    T operator()(T a, T b) const {
        return wrapping(a, b, [](auto x, auto y) { return x - y; });
    }
};
struct Mul {
    template <class T>
    T operator()(T a, T b) const {
        return wrapping(a, b, [](auto x, auto y) { return x * y; });
    }
};
struct Div {
    template <class T>
    T operator()(T a, T b) const {
        return a / b;
    }
};
struct Minimum {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a != a ? a : b != b ? b : a < b ? a : b;
        else return a < b ? a : b;
    }
};
struct Maximum {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a != a ? a : b != b ? b : a > b ? a : b;
        else return a > b ? a : b;
    }
};

struct FloorDivide {
    float operator()(float a, float b) const { return c10::div_floor_floating(a, b); }
    double operator()(double a, double b) const { return c10::div_floor_floating(a, b); }
    std::int64_t operator()(std::int64_t a, std::int64_t b) const { return c10::div_floor_integer(a, b); }
};
struct TruncDivide {
    std::int64_t operator()(std::int64_t a, std::int64_t b) const {
        return b == -1 ? Sub()(std::int64_t(0), a) : a / b;  // the least integer has no quotient by -1
    }
};
struct Fmod {
    std::int64_t operator()(std::int64_t a, std::int64_t b) const { return b == -1 ? 0 : a % b; }
};
struct Remainder {
    std::int64_t operator()(std::int64_t a, std::int64_t b) const {
        const std::int64_t rest = Fmod()(a, b);
        return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    }
};
struct Pow {  // negative exponents as in ATen
    std::int64_t operator()(std::int64_t a, std::int64_t b) const {
        if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 != 0 ? -1 : 1) : 0;
        std::int64_t result = 1;
        for (; b != 0; b /= 2, a = Mul()(a, a))
            if (b % 2 != 0) result = Mul()(result, a);
        return result;
    }
};

struct BitAnd {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a & b);
    }
};
struct BitOr {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a | b);
    }
};
struct BitXor {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a ^ b);
    }
};
struct BitNot {
    std::int64_t operator()(std::int64_t a) const { return ~a; }
    std::uint8_t operator()(std::uint8_t a) const { return a == 0; }
};
struct Neg {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_integral_v<T>) return Sub()(T(0), a);
        else return -a;
    }
};
struct Abs {
    std::int64_t operator()(std::int64_t a) const { return a < 0 ? Neg()(a) : a; }
    float operator()(float a) const { return std::fabs(a); }
    double operator()(double a) const { return std::fabs(a); }
};
struct Sign {
    template <class T>
    T operator()(T a) const {
        return static_cast<T>((a > T(0)) - (a < T(0)));
    }
};
struct IsNan {
    template <class T>
    std::uint8_t operator()(T a) const {
        return a != a;
    }
};
struct IsInf {
    template <class T>
    std::uint8_t operator()(T a) const {
        return std::fabs(a) == std::numeric_limits<T>::infinity();
    }
};

template <class To>
struct Convert {
    template <class From>
    To operator()(From a) const {
        if constexpr (std::is_same_v<To, std::uint8_t>) return a != From(0);
        else return static_cast<To>(a);
    }
};
/// To a type of lower precision and back.
template <class Narrow>
struct Through {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_arithmetic_v<Narrow>) return static_cast<T>(static_cast<Narrow>(a));
        else return static_cast<T>(Narrow(static_cast<float>(a)));
    }
};

/// Integers: checks all divisors first, since vector loops have no early exit.
template <class F>
void divide(const TileMap& map) {
    const TileOperand& divisors = map.in[1];
    for (std::int64_t r = 0; r < map.rows; ++r)
        for (std::int64_t i = 0; i < (divisors.varies ? map.n : 1); ++i)
            TORCH_CHECK(rowOf<std::int64_t>(divisors, r)[i] != 0, "ZeroDivisionError");
    map2<F, std::int64_t, std::int64_t>(map);
}

template <class T, bool varyC, bool varyA, bool varyB>
void whereRows(const TileMap& map) {
    for (std::int64_t r = 0; r < map.rows; ++r) {
        const std::uint8_t* c = rowOf<std::uint8_t>(map.in[0], r);
        const T *a = rowOf<T>(map.in[1], r), *b = rowOf<T>(map.in[2], r);
        T* o = outRow<T>(map, r);
        const std::uint8_t c0 = *c;
        const T a0 = *a, b0 = *b;
        const std::int64_t n = map.n;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) {
            const T x = varyA ? a[i] : a0, y = varyB ? b[i] : b0;
            o[i] = (varyC ? c[i] : c0) != 0 ? x : y;
        }
    }
}

template <class T, bool varyC>
MapFunction whereOf(bool varyA, bool varyB) {
    if (varyA) return varyB ? whereRows<T, varyC, true, true> : whereRows<T, varyC, true, false>;
    return varyB ? whereRows<T, varyC, false, true> : whereRows<T, varyC, false, false>;
}

template <class T>
void where(const TileMap& map) {
    const bool varyA = map.in[1].varies, varyB = map.in[2].varies;
    const MapFunction f = map.in[0].varies ? whereOf<T, true>(varyA, varyB) : whereOf<T, false>(varyA, varyB);
    f(map);
}

}  // namespace aotscope::CPU_CAPABILITY
