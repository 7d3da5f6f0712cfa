#include "compile/fused/lowering.h"

#include <cmath>

namespace aotscope {

namespace {

using Call = LoweredCall;
using Results = LoweredResults;

bool isWhole(Expr a) { return a.computeType == ComputeType::i64; }
bool isTruth(Expr a) { return a.computeType == ComputeType::boolean; }

Expr plus(Expr a, Expr b) { return isTruth(a) ? a | b : a + b; }
Expr times(Expr a, Expr b) { return isTruth(a) ? a & b : a * b; }

/// Integers are divided only if the divisor is known not to be zero.
bool mayDivide(Call& c) { return c.isReal() || c.literal(1).value_or(0) != 0; }

/// `b` times the number `alpha`.
Expr scaled(Call& c, Expr b, std::size_t position) {
    if (!c.has(position, "alpha") || c.literal(position, "alpha") == 1.0) return b;
    return times(b, c.x(position, "alpha"));
}

// `alpha` is keyword-only after two tensors, but may be positional after a number.
constexpr std::size_t kAlpha = 2;

Results add(Call& c) { return {plus(c.x(0), scaled(c, c.x(1), kAlpha))}; }
Results sub(Call& c) {
    if (c.result() == DType::b8) return {};
    return {c.x(0) - scaled(c, c.x(1), kAlpha)};
}
Results rsub(Call& c) {
    if (c.result() == DType::b8) return {};
    return {c.x(1) - scaled(c, c.x(0), kAlpha)};
}
Results mul(Call& c) { return {times(c.x(0), c.x(1))}; }

Results divide(Call& c) {
    const std::string mode = c.text(2, "rounding_mode");
    if (mode.empty()) return c.isReal() ? Results{c.x(0) / c.x(1)} : Results{};
    if (!mayDivide(c)) return {};
    return {apply(mode == "floor" ? Opcode::floorDivide : Opcode::truncDivide, c.x(0), c.x(1))};
}

/// On operands that ATen promotes to the result's type.
template <Opcode op>
Results binary(Call& c) {
    return {apply(op, c.x(0), c.x(1))};
}
template <Opcode op>
Results realBinary(Call& c) {
    return c.isReal() ? binary<op>(c) : Results{};
}
template <Opcode op>
Results division(Call& c) {
    return mayDivide(c) ? binary<op>(c) : Results{};
}
template <Opcode op>
Results wholeBinary(Call& c) {
    return c.isReal() ? Results{} : binary<op>(c);
}
/// Rounds a literal to the type of the comparison, as ATen does.
template <Opcode op>
Results comparison(Call& c) {
    const DType common = c.promoted({0, 1});
    const Expr b = c.as(common, 1);
    return {apply(op, c.as(common, 0), c.literal(1) ? convert(b, common) : b)};
}
template <Opcode op>
Results logical(Call& c) {
    return {apply(op, c.truth(0), c.truth(1))};
}
/// A function of real numbers; integers are converted.
template <Opcode op>
Results unary(Call& c) {
    return c.isReal() ? Results{apply(op, c.x(0))} : Results{};
}
/// Rounding an integer returns it.
template <Opcode op>
Results rounding(Call& c) {
    if (c.result() == DType::b8) return {};
    return {c.isReal() ? apply(op, c.x(0)) : c.x(0)};
}
template <Opcode op>
Results signedUnary(Call& c) {
    return c.result() == DType::b8 ? Results{} : Results{apply(op, c.x(0))};
}

Results fraction(Call& c) { return c.isReal() ? Results{c.x(0) - apply(Opcode::trunc, c.x(0))} : Results{}; }
Results square(Call& c) { return c.result() == DType::b8 ? Results{} : Results{c.x(0) * c.x(0)}; }

bool isRealNumber(Expr x) { return !isWhole(x) && !isTruth(x); }
Results isNotANumber(Call& c) { return isRealNumber(c.raw(0)) ? Results{isNan(c.raw(0))} : Results{}; }
Results isInfinite(Call& c) { return isRealNumber(c.raw(0)) ? Results{apply(Opcode::isInf, c.raw(0))} : Results{}; }
Results isFinite(Call& c) {
    const Expr x = c.raw(0);
    return isRealNumber(x) ? Results{!(isNan(x) | apply(Opcode::isInf, x))} : Results{};
}

Results power(Call& c) {
    const auto exponent = c.literal(1);
    if (exponent && c.typeOf(0) != DType::b8) {
        const Expr x = c.x(0);
        if (*exponent == 1) return {x};
        if (*exponent == 2) return {x * x};
        if (*exponent == 3) return {x * x * x};
        // Not for half types: for minus infinity, the two differ.
        const bool isWide = c.result() == DType::f32 || c.result() == DType::f64;
        if (isWide && *exponent == 0.5) return {sqrt(x)};
        if (isWide && *exponent == -0.5) return {apply(Opcode::rsqrt, x)};
        if (!isWhole(x) && *exponent == -1) return {apply(Opcode::reciprocal, x)};
        if (!isWhole(x) && *exponent == -2) return {apply(Opcode::reciprocal, x * x)};
    }
    return realBinary<Opcode::pow>(c);
}

template <Opcode op>
Results extremumOfTwo(Call& c) {
    return c.result() == DType::b8 ? Results{} : binary<op>(c);
}
/// The smaller or larger one, propagating NaN.
template <Opcode op>
Results numberOf(Call& c) {
    if (c.result() == DType::b8) return {};
    const Expr a = c.x(0), b = c.x(1);
    if (!c.isReal()) return {apply(op, a, b)};
    return {where(isNan(a), b, where(isNan(b), a, apply(op, a, b)))};
}

Results clamp(Call& c) {
    if (c.result() == DType::b8) return {};
    Expr x = c.x(0);
    if (c.has(1, "min")) x = maximum(x, c.x(1, "min"));
    if (c.has(2, "max")) x = minimum(x, c.x(2, "max"));
    return {x};
}

Results select(Call& c) { return {where(c.truth(0), c.x(1), c.x(2))}; }
Results maskedFill(Call& c) { return {where(c.truth(1), c.x(2), c.x(0))}; }

Results addcmul(Call& c) {
    const Expr product = c.x(1) * c.x(2);
    if (c.result() == DType::b8) return {};
    return {c.x(0) + (c.has(3, "value") ? c.x(3, "value") * product : product)};
}
Results addcdiv(Call& c) {
    if (!c.isReal()) return {};
    const Expr dividend = c.has(3, "value") ? c.x(3, "value") * c.x(1) : c.x(1);
    return {c.x(0) + dividend / c.x(2)};
}
Results lerp(Call& c) {
    if (!c.isReal()) return {};
    const Expr start = c.x(0), end = c.x(1), weight = c.x(2), way = end - start;
    return {where(abs(weight) < 0.5, start + weight * way, end - way * (1 - weight))};
}

Results copy(Call& c) { return {c.x(0)}; }
Results dropoutBackward(Call& c) { return {c.x(0) * (c.x(1) * c.x(2))}; }

}  // namespace

LoweringTable arithmeticLowerings() {
    return {
        {"aten.add.Tensor", {add}},
        {"aten.add.Scalar", {add}},
        {"aten.sub.Tensor", {sub}},
        {"aten.sub.Scalar", {sub}},
        {"aten.rsub.Tensor", {rsub}},
        {"aten.rsub.Scalar", {rsub}},
        {"aten.mul.Tensor", {mul}},
        {"aten.mul.Scalar", {mul}},
        {"aten.div.Tensor", {divide}},
        {"aten.div.Scalar", {divide}},
        {"aten.div.Tensor_mode", {divide}},
        {"aten.div.Scalar_mode", {divide}},
        {"aten.floor_divide.default", {division<Opcode::floorDivide>}},
        {"aten.floor_divide.Scalar", {division<Opcode::floorDivide>}},
        {"aten.fmod.Tensor", {division<Opcode::fmod>}},
        {"aten.fmod.Scalar", {division<Opcode::fmod>}},
        {"aten.remainder.Tensor", {division<Opcode::remainder>}},
        {"aten.remainder.Scalar", {division<Opcode::remainder>}},
        {"aten.pow.Tensor_Tensor", {realBinary<Opcode::pow>}},
        {"aten.pow.Tensor_Scalar", {power}},
        {"aten.pow.Scalar", {realBinary<Opcode::pow>}},
        {"aten.atan2.default", {realBinary<Opcode::atan2>}},
        {"aten.hypot.default", {realBinary<Opcode::hypot>}},
        {"aten.copysign.Tensor", {realBinary<Opcode::copysign>}},
        {"aten.copysign.Scalar", {realBinary<Opcode::copysign>}},
        {"aten.minimum.default", {extremumOfTwo<Opcode::minimum>}},
        {"aten.maximum.default", {extremumOfTwo<Opcode::maximum>}},
        {"aten.fmin.default", {numberOf<Opcode::minimum>}},
        {"aten.fmax.default", {numberOf<Opcode::maximum>}},
        {"aten.clamp.default", {clamp}},
        {"aten.clamp.Tensor", {clamp}},
        {"aten.clamp_min.default", {extremumOfTwo<Opcode::maximum>}},
        {"aten.clamp_min.Tensor", {extremumOfTwo<Opcode::maximum>}},
        {"aten.clamp_max.default", {extremumOfTwo<Opcode::minimum>}},
        {"aten.clamp_max.Tensor", {extremumOfTwo<Opcode::minimum>}},
        {"aten.where.self", {select}},
        {"aten.where.ScalarOther", {select}},
        {"aten.where.ScalarSelf", {select}},
        {"aten.where.Scalar", {select}},
        {"aten.masked_fill.Scalar", {maskedFill}},
        {"aten.masked_fill.Tensor", {maskedFill}},
        {"aten.addcmul.default", {addcmul}},
        {"aten.addcdiv.default", {addcdiv}},
        {"aten.lerp.Scalar", {lerp}},
        {"aten.lerp.Tensor", {lerp}},
        {"aten._to_copy.default", {copy}},
        {"aten.clone.default", {copy}},
        {"aten.native_dropout_backward.default", {dropoutBackward}},
        {"aten.eq.Tensor", {comparison<Opcode::equal>}},
        {"aten.eq.Scalar", {comparison<Opcode::equal>}},
        {"aten.ne.Tensor", {comparison<Opcode::notEqual>}},
        {"aten.ne.Scalar", {comparison<Opcode::notEqual>}},
        {"aten.lt.Tensor", {comparison<Opcode::less>}},
        {"aten.lt.Scalar", {comparison<Opcode::less>}},
        {"aten.le.Tensor", {comparison<Opcode::lessEqual>}},
        {"aten.le.Scalar", {comparison<Opcode::lessEqual>}},
        {"aten.gt.Tensor", {comparison<Opcode::greater>}},
        {"aten.gt.Scalar", {comparison<Opcode::greater>}},
        {"aten.ge.Tensor", {comparison<Opcode::greaterEqual>}},
        {"aten.ge.Scalar", {comparison<Opcode::greaterEqual>}},
        {"aten.logical_and.default", {logical<Opcode::bitAnd>}},
        {"aten.logical_or.default", {logical<Opcode::bitOr>}},
        {"aten.logical_xor.default", {logical<Opcode::bitXor>}},
        {"aten.logical_not.default", {[](Call& c) -> Results { return {!c.truth(0)}; }}},
        {"aten.bitwise_and.Tensor", {wholeBinary<Opcode::bitAnd>}},
        {"aten.bitwise_and.Scalar", {wholeBinary<Opcode::bitAnd>}},
        {"aten.bitwise_or.Tensor", {wholeBinary<Opcode::bitOr>}},
        {"aten.bitwise_or.Scalar", {wholeBinary<Opcode::bitOr>}},
        {"aten.bitwise_xor.Tensor", {wholeBinary<Opcode::bitXor>}},
        {"aten.bitwise_xor.Scalar", {wholeBinary<Opcode::bitXor>}},
        {"aten.bitwise_not.default", {[](Call& c) -> Results { return {!c.x(0)}; }}},
        {"aten.neg.default", {signedUnary<Opcode::neg>}},
        {"aten.abs.default", {signedUnary<Opcode::abs>}},
        {"aten.sign.default", {signedUnary<Opcode::sign>}},
        {"aten.sgn.default", {signedUnary<Opcode::sign>}},
        {"aten.floor.default", {rounding<Opcode::floor>}},
        {"aten.ceil.default", {rounding<Opcode::ceil>}},
        {"aten.round.default", {rounding<Opcode::round>}},
        {"aten.trunc.default", {rounding<Opcode::trunc>}},
        {"aten.frac.default", {fraction}},
        {"aten.square.default", {square}},
        {"aten.reciprocal.default", {unary<Opcode::reciprocal>}},
        {"aten.sqrt.default", {unary<Opcode::sqrt>}},
        {"aten.rsqrt.default", {unary<Opcode::rsqrt>}},
        {"aten.exp.default", {unary<Opcode::exp>}},
        {"aten.exp2.default", {unary<Opcode::exp2>}},
        {"aten.expm1.default", {unary<Opcode::expm1>}},
        {"aten.log.default", {unary<Opcode::log>}},
        {"aten.log2.default", {unary<Opcode::log2>}},
        {"aten.log10.default", {unary<Opcode::log10>}},
        {"aten.log1p.default", {unary<Opcode::log1p>}},
        {"aten.sin.default", {unary<Opcode::sin>}},
        {"aten.cos.default", {unary<Opcode::cos>}},
        {"aten.tan.default", {unary<Opcode::tan>}},
        {"aten.asin.default", {unary<Opcode::asin>}},
        {"aten.acos.default", {unary<Opcode::acos>}},
        {"aten.atan.default", {unary<Opcode::atan>}},
        {"aten.sinh.default", {unary<Opcode::sinh>}},
        {"aten.cosh.default", {unary<Opcode::cosh>}},
        {"aten.tanh.default", {unary<Opcode::tanh>}},
        {"aten.asinh.default", {unary<Opcode::asinh>}},
        {"aten.acosh.default", {unary<Opcode::acosh>}},
        {"aten.atanh.default", {unary<Opcode::atanh>}},
        {"aten.sigmoid.default", {unary<Opcode::sigmoid>}},
        {"aten.erf.default", {unary<Opcode::erf>}},
        {"aten.erfc.default", {unary<Opcode::erfc>}},
        {"aten.isnan.default", {isNotANumber}},
        {"aten.isinf.default", {isInfinite}},
        {"aten.isfinite.default", {isFinite}},
    };
}

}  // namespace aotscope
