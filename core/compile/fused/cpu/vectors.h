#pragma once

// LibTorch's functions on whole vectors, the same that its own kernels use.

#include "compile/fused/cpu/loops.h"

#include <numbers>

namespace aotscope::CPU_CAPABILITY {

struct Sigmoid {
    template <class V>
    V operator()(const V& a) const {
        const V one(static_cast<typename V::value_type>(1));
        return one / (one + a.neg().exp());
    }
};

#define AOTSCOPE_VECTOR_FUNCTION(Name, method) \
    struct Name {                              \
        template <class V>                     \
        V operator()(const V& a) const {       \
            return a.method();                 \
        }                                      \
    };
AOTSCOPE_VECTOR_FUNCTION(Reciprocal, reciprocal)
AOTSCOPE_VECTOR_FUNCTION(Sqrt, sqrt)
AOTSCOPE_VECTOR_FUNCTION(Rsqrt, rsqrt)
AOTSCOPE_VECTOR_FUNCTION(Exp, exp)
AOTSCOPE_VECTOR_FUNCTION(Exp2, exp2)
AOTSCOPE_VECTOR_FUNCTION(Expm1, expm1)
AOTSCOPE_VECTOR_FUNCTION(Log, log)
AOTSCOPE_VECTOR_FUNCTION(Log2, log2)
AOTSCOPE_VECTOR_FUNCTION(Log10, log10)
AOTSCOPE_VECTOR_FUNCTION(Log1p, log1p)
AOTSCOPE_VECTOR_FUNCTION(Sin, sin)
AOTSCOPE_VECTOR_FUNCTION(Cos, cos)
AOTSCOPE_VECTOR_FUNCTION(Tan, tan)
AOTSCOPE_VECTOR_FUNCTION(Asin, asin)
AOTSCOPE_VECTOR_FUNCTION(Acos, acos)
AOTSCOPE_VECTOR_FUNCTION(Atan, atan)
AOTSCOPE_VECTOR_FUNCTION(Sinh, sinh)
AOTSCOPE_VECTOR_FUNCTION(Cosh, cosh)
AOTSCOPE_VECTOR_FUNCTION(Tanh, tanh)
AOTSCOPE_VECTOR_FUNCTION(Asinh, asinh)
AOTSCOPE_VECTOR_FUNCTION(Acosh, acosh)
AOTSCOPE_VECTOR_FUNCTION(Atanh, atanh)
AOTSCOPE_VECTOR_FUNCTION(Erf, erf)
AOTSCOPE_VECTOR_FUNCTION(Erfc, erfc)
AOTSCOPE_VECTOR_FUNCTION(Floor, floor)
AOTSCOPE_VECTOR_FUNCTION(Ceil, ceil)
AOTSCOPE_VECTOR_FUNCTION(Round, round)
AOTSCOPE_VECTOR_FUNCTION(Trunc, trunc)
#undef AOTSCOPE_VECTOR_FUNCTION

#define AOTSCOPE_VECTOR_FUNCTION(Name, method)       \
    struct Name {                                    \
        template <class V>                           \
        V operator()(const V& a, const V& b) const { \
            return a.method(b);                      \
        }                                            \
    };
AOTSCOPE_VECTOR_FUNCTION(VectorPow, pow)
AOTSCOPE_VECTOR_FUNCTION(VectorAtan2, atan2)
AOTSCOPE_VECTOR_FUNCTION(VectorHypot, hypot)
AOTSCOPE_VECTOR_FUNCTION(VectorCopysign, copysign)
AOTSCOPE_VECTOR_FUNCTION(VectorFmod, fmod)
#undef AOTSCOPE_VECTOR_FUNCTION

/// exp(x) for x from -80 to 0 in single precision: 2^n times a polynomial (that of Cephes' expf) of the rest, at most
/// half of ln 2. LibTorch's exp is a call, which doubles its time.
inline Vectorized<float> expOfNegative(const Vectorized<float>& x) {
    using V = Vectorized<float>;
    const V n = (x * V(std::numbers::log2e_v<float>)).round();
    const V rest = at::vec::fmadd(n, V(2.12194440e-4f), at::vec::fmadd(n, V(-0.693359375f), x));
    V sum(1.9875691500e-4f);
    for (const float term : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
        sum = at::vec::fmadd(sum, rest, V(term));
    sum = at::vec::fmadd(sum, rest * rest, rest + V(1));
    const auto exponent = at::vec::convert_to_int_of_same_size(n) + Vectorized<std::int32_t>(127);
    return sum * at::vec::cast<float, std::int32_t>(exponent << Vectorized<std::int32_t>(23));
}
inline Vectorized<double> expOfNegative(const Vectorized<double>& x) { return x.exp(); }

/// The standard normal distribution: exp(-x^2 / 2), and the probability below x. Single precision uses formula 7.1.26
/// of Abramowitz and Stegun, like LibTorch's erf, but with one exponential for both.
template <class V>
struct NormalAt {
    using T = typename V::value_type;
    V bell, below;

    explicit NormalAt(const V& x) : bell(T(0)), below(T(0)) {
        // Flushes results that would be denormal and slow to zero.
        const V exponent = x * x * V(T(-0.5)), least(std::is_same_v<T, double> ? T(-700) : T(-80));
        bell = V::blendv(expOfNegative(at::vec::maximum(exponent, least)), bell, exponent < least);
        if constexpr (std::is_same_v<T, double>) {
            below = V(0.5) * (V(1.0) + (x * V(std::numbers::sqrt2 / 2)).erf());
        } else {
            const V t = V(1) / (V(1) + V(0.3275911f * std::numbers::sqrt2_v<float> / 2) * x.abs());
            V sum(1.061405429f);
            for (const float term : {-1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f})
                sum = at::vec::fmadd(sum, t, V(term));
            const V outside = V(0.5f) * t * sum * bell;  // beyond |x|
            below = V::blendv(V(1) - outside, outside, x < V(0));
        }
    }
};
struct Gelu {
    template <class V>
    V operator()(const V& x) const {
        return x * NormalAt<V>(x).below;
    }
};
struct GeluSlope {
    template <class V>
    V operator()(const V& x) const {
        using T = typename V::value_type;
        const NormalAt<V> normal(x);
        return normal.below + x * normal.bell * V(std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>);
    }
};

struct VectorTruncDivide {
    template <class V>
    V operator()(const V& a, const V& b) const {
        return (a / b).trunc();
    }
};
struct VectorRemainder {
    template <class V>
    V operator()(const V& a, const V& b) const {
        const V zero(static_cast<typename V::value_type>(0)), rest = a.fmod(b);
        return V::blendv(rest, rest + b, (rest != zero) & ((b < zero) ^ (rest < zero)));
    }
};

}  // namespace aotscope::CPU_CAPABILITY
