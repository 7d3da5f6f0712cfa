#pragma once

// Functions that LibTorch has for whole vectors; the same that its own kernels use.

#include "compile/fused/cpu_loops.h"

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

struct NormalCdf {
    template <class V>
    V operator()(const V& a) const {
        using T = typename V::value_type;
        return V(T(0.5)) * (V(T(1)) + (a * V(std::numbers::sqrt2_v<T> / 2)).erf());
    }
};
struct NormalDensity {
    template <class V>
    V operator()(const V& a) const {
        using T = typename V::value_type;
        return V(std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>) * (a * a * V(T(-0.5))).exp();
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
