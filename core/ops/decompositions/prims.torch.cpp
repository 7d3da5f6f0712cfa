// Makes explicit everything that ATen's operators do implicitly: type promotion, broadcasting, kept dimensions.

#include "ops/prims.h"
#include "aten/convert.h"
#include "ops/decompositions/decomposition_support.h"

#include <ATen/ExpandUtils.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace aotscope {

namespace {

using namespace rules;

enum class Promotion : std::uint8_t {
    standard,    ///< to the common type; half and bfloat16 are computed in float
    intToFloat,  ///< and integers become floats
    toBoolean,   ///< operands as for `standard`, the result is boolean
    narrow,      ///< to the common type; half and bfloat16 are kept
};

/// An ATen operator that is then one of prims.
struct Pointwise {
    const char* aten;
    const char* prim;
    std::size_t operands;
    Promotion promotion;
    bool alpha = false;  ///< followed by a factor for the last operand
};

constexpr std::array kPointwise = {
    Pointwise{"aten.abs.default", "abs", 1, Promotion::standard},
    Pointwise{"aten.acos.default", "acos", 1, Promotion::intToFloat},
    Pointwise{"aten.acosh.default", "acosh", 1, Promotion::intToFloat},
    Pointwise{"aten.asin.default", "asin", 1, Promotion::intToFloat},
    Pointwise{"aten.asinh.default", "asinh", 1, Promotion::intToFloat},
    Pointwise{"aten.atan.default", "atan", 1, Promotion::intToFloat},
    Pointwise{"aten.atanh.default", "atanh", 1, Promotion::intToFloat},
    Pointwise{"aten.bitwise_not.default", "bitwise_not", 1, Promotion::narrow},
    Pointwise{"aten.ceil.default", "ceil", 1, Promotion::standard},
    Pointwise{"aten.cos.default", "cos", 1, Promotion::intToFloat},
    Pointwise{"aten.cosh.default", "cosh", 1, Promotion::intToFloat},
    Pointwise{"aten.erf.default", "erf", 1, Promotion::intToFloat},
    Pointwise{"aten.erfc.default", "erfc", 1, Promotion::intToFloat},
    Pointwise{"aten.exp.default", "exp", 1, Promotion::intToFloat},
    Pointwise{"aten.exp2.default", "exp2", 1, Promotion::intToFloat},
    Pointwise{"aten.expm1.default", "expm1", 1, Promotion::intToFloat},
    Pointwise{"aten.floor.default", "floor", 1, Promotion::standard},
    Pointwise{"aten.log.default", "log", 1, Promotion::intToFloat},
    Pointwise{"aten.log10.default", "log10", 1, Promotion::intToFloat},
    Pointwise{"aten.log1p.default", "log1p", 1, Promotion::intToFloat},
    Pointwise{"aten.log2.default", "log2", 1, Promotion::intToFloat},
    Pointwise{"aten.neg.default", "neg", 1, Promotion::standard},
    Pointwise{"aten.reciprocal.default", "reciprocal", 1, Promotion::intToFloat},
    Pointwise{"aten.round.default", "round", 1, Promotion::standard},
    Pointwise{"aten.rsqrt.default", "rsqrt", 1, Promotion::intToFloat},
    Pointwise{"aten.sign.default", "sign", 1, Promotion::standard},
    Pointwise{"aten.sin.default", "sin", 1, Promotion::intToFloat},
    Pointwise{"aten.sinh.default", "sinh", 1, Promotion::intToFloat},
    Pointwise{"aten.sqrt.default", "sqrt", 1, Promotion::intToFloat},
    Pointwise{"aten.tan.default", "tan", 1, Promotion::intToFloat},
    Pointwise{"aten.tanh.default", "tanh", 1, Promotion::intToFloat},
    Pointwise{"aten.trunc.default", "trunc", 1, Promotion::standard},
    Pointwise{"aten.add.Tensor", "add", 2, Promotion::standard, true},
    Pointwise{"aten.add.Scalar", "add", 2, Promotion::standard, true},
    Pointwise{"aten.sub.Tensor", "sub", 2, Promotion::standard, true},
    Pointwise{"aten.sub.Scalar", "sub", 2, Promotion::standard, true},
    Pointwise{"aten.mul.Tensor", "mul", 2, Promotion::standard},
    Pointwise{"aten.mul.Scalar", "mul", 2, Promotion::standard},
    Pointwise{"aten.div.Tensor", "div", 2, Promotion::intToFloat},
    Pointwise{"aten.div.Scalar", "div", 2, Promotion::intToFloat},
    Pointwise{"aten.atan2.default", "atan2", 2, Promotion::intToFloat},
    Pointwise{"aten.maximum.default", "maximum", 2, Promotion::standard},
    Pointwise{"aten.minimum.default", "minimum", 2, Promotion::standard},
    Pointwise{"aten.fmax.default", "fmax", 2, Promotion::standard},
    Pointwise{"aten.fmin.default", "fmin", 2, Promotion::standard},
    Pointwise{"aten.eq.Tensor", "eq", 2, Promotion::toBoolean},
    Pointwise{"aten.eq.Scalar", "eq", 2, Promotion::toBoolean},
    Pointwise{"aten.ne.Tensor", "ne", 2, Promotion::toBoolean},
    Pointwise{"aten.ne.Scalar", "ne", 2, Promotion::toBoolean},
    Pointwise{"aten.ge.Tensor", "ge", 2, Promotion::toBoolean},
    Pointwise{"aten.ge.Scalar", "ge", 2, Promotion::toBoolean},
    Pointwise{"aten.gt.Tensor", "gt", 2, Promotion::toBoolean},
    Pointwise{"aten.gt.Scalar", "gt", 2, Promotion::toBoolean},
    Pointwise{"aten.le.Tensor", "le", 2, Promotion::toBoolean},
    Pointwise{"aten.le.Scalar", "le", 2, Promotion::toBoolean},
    Pointwise{"aten.lt.Tensor", "lt", 2, Promotion::toBoolean},
    Pointwise{"aten.lt.Scalar", "lt", 2, Promotion::toBoolean},
    Pointwise{"aten.bitwise_and.Tensor", "bitwise_and", 2, Promotion::narrow},
    Pointwise{"aten.bitwise_or.Tensor", "bitwise_or", 2, Promotion::narrow},
    Pointwise{"aten.bitwise_xor.Tensor", "bitwise_xor", 2, Promotion::narrow},
};

bool isNumber(const Tensor& t) { return t.unsafeGetTensorImpl()->is_wrapped_number(); }

/// A view with the size `sizes`; `t` itself if it has that size.
Tensor broadcastTo(const Tensor& t, at::IntArrayRef sizes) {
    if (t.sizes() == sizes) return t;
    Sizes places(static_cast<std::size_t>(t.dim()));
    std::iota(places.begin(), places.end(), static_cast<std::int64_t>(sizes.size()) - t.dim());
    return prims::broadcastInDim(t, sizes, places);
}

/// Broadcasts all to one size, except numbers and scalars on the CPU.
void broadcastTogether(std::vector<Tensor>& operands) {
    Sizes common;
    for (const Tensor& t : operands) common = at::infer_size(common, t.sizes());
    for (Tensor& t : operands)
        if (!isNumber(t) && !(t.dim() == 0 && t.is_cpu())) t = broadcastTo(t, common);
}

Tensor asType(const Tensor& t, Dtype type) {
    if (!isNumber(t)) return cast(t, type);
    const Scalar number = t.item();
    if (at::isFloatingType(type)) return wrappedNumber(number.toDouble());
    return type == at::kBool ? wrappedNumber(number.toBool()) : t;
}

struct Types {
    Dtype computed, result;
};
Types typesOf(const std::vector<Tensor>& operands, Promotion promotion) {
    Dtype common = promotedType(operands);
    if (promotion == Promotion::intToFloat && at::isIntegralType(common, /*includeBool=*/true)) common = at::kFloat;
    const Dtype computed = promotion == Promotion::narrow ? common : computationType(common);
    return {computed, promotion == Promotion::toBoolean ? at::kBool : common};
}

Tensor compute(const char* prim, std::vector<Tensor> operands, Promotion promotion,
               const std::optional<Scalar>& alpha = std::nullopt) {
    const Types types = typesOf(operands, promotion);
    for (Tensor& t : operands) t = asType(t, types.computed);
    broadcastTogether(operands);
    if (alpha && !alpha->equal(1)) operands.back() = prims::pointwise("mul", {operands.back(), wrappedNumber(*alpha)});
    return cast(prims::pointwise(prim, operands), types.result);
}

template <std::size_t row>
bool pointwise(torch::jit::Stack& stack) {
    constexpr Pointwise op = kPointwise[row];
    constexpr std::size_t count = op.operands + (op.alpha ? 1 : 0);
    // Overloads with numbers may have an alpha, which comes last.
    const auto arguments = torch::jit::last(stack, count);
    std::vector<Tensor> operands;
    for (std::size_t i = 0; i < op.operands; ++i)
        operands.push_back(arguments[i].isTensor() ? arguments[i].toTensor() : wrappedNumber(arguments[i].toScalar()));
    std::optional<Scalar> alpha;
    if (op.alpha) alpha = arguments[op.operands].toScalar();
    if (std::any_of(operands.begin(), operands.end(), [](const Tensor& t) { return t.is_complex(); })) return false;
    const Tensor result = compute(op.prim, operands, op.promotion, alpha);
    torch::jit::drop(stack, count);
    stack.emplace_back(result);
    return true;
}

Tensor sigmoid(const Tensor& self) {
    const Opmath math({self}, /*intToFloat=*/true);
    const Tensor e = compute("exp", {compute("neg", {math.up(self)}, Promotion::standard)}, Promotion::standard);
    const Tensor one = wrappedNumber(1.0);
    return math.down(compute("div", {one, compute("add", {one, e}, Promotion::standard)}, Promotion::standard));
}
Tensor relu(const Tensor& self) {
    const Opmath math({self});
    const Tensor x = math.up(self), zero = wrappedNumber(0);
    const Tensor isLow = compute("le", {x, zero}, Promotion::toBoolean);
    return math.down(prims::pointwise("where", {isLow, asType(zero, x.scalar_type()), x}));
}
Tensor whereOf(const Tensor& condition, const Tensor& a, const Tensor& b) {
    const Dtype type = promotedType({a, b});
    std::vector<Tensor> operands = {condition, asType(a, type), asType(b, type)};
    broadcastTogether(operands);
    return prims::pointwise("where", operands);
}
std::optional<Tensor> power(const Tensor& self, const Scalar& exponent) {
    if (self.is_complex()) return std::nullopt;
    const Tensor x = cast(self, promotedType({self, wrappedNumber(exponent)}));
    if (exponent.equal(2)) return compute("mul", {x, x}, Promotion::standard);
    if (exponent.equal(0.5)) return compute("sqrt", {x}, Promotion::intToFloat);
    return compute("pow", {x, wrappedNumber(exponent)}, Promotion::standard);
}
Tensor logicalNot(const Tensor& self) { return compute("eq", {self, wrappedNumber(0)}, Promotion::toBoolean); }
Tensor truth(const Tensor& t) {
    return t.scalar_type() == at::kBool ? t : compute("ne", {t, wrappedNumber(0)}, Promotion::toBoolean);
}
Tensor logicalAnd(const Tensor& a, const Tensor& b) {
    return compute("bitwise_and", {truth(a), truth(b)}, Promotion::narrow);
}
Tensor logicalOr(const Tensor& a, const Tensor& b) {
    return compute("bitwise_or", {truth(a), truth(b)}, Promotion::narrow);
}
Tensor isNan(const Tensor& self) { return compute("ne", {self, self}, Promotion::toBoolean); }

// --- Shapes -----------------------------------------------------------------------------------------------------

Tensor expand(const Tensor& self, const Sizes& given, bool) {
    Sizes sizes = given;
    const std::int64_t added = static_cast<std::int64_t>(sizes.size()) - self.dim();
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] == -1) sizes[i] = self.size(static_cast<std::int64_t>(i) - added);
    Sizes places(static_cast<std::size_t>(self.dim()));
    std::iota(places.begin(), places.end(), added);
    return prims::broadcastInDim(self, sizes, places);
}
Tensor unsqueeze(const Tensor& self, std::int64_t dim) {
    const std::int64_t place = wrapDim(dim, self.dim() + 1);
    Sizes sizes = self.sizes().vec(), places;
    sizes.insert(sizes.begin() + place, 1);
    for (std::int64_t i = 0; i <= self.dim(); ++i)
        if (i != place) places.push_back(i);
    return prims::broadcastInDim(self, sizes, places);
}
Tensor permute(const Tensor& self, const Sizes& given) {
    Sizes dims = given;
    for (auto& dim : dims) dim = wrapDim(dim, self.dim());
    return prims::transpose(self, dims);
}

// --- Reductions ---------------------------------------------------------------------------------------------------

/// `dims` of `self`, or all of them if empty.
Sizes reducedDims(const Tensor& self, const std::optional<Sizes>& dims) {
    Sizes result = dims.value_or(Sizes());
    if (result.empty()) {
        result.resize(static_cast<std::size_t>(self.dim()));
        std::iota(result.begin(), result.end(), 0);
    }
    for (auto& dim : result) dim = wrapDim(dim, self.dim());
    return result;
}
/// Restores reduced dimensions with size 1.
Tensor keepDims(const Tensor& reduced, const Tensor& self, const Sizes& dims) {
    Sizes sizes = self.sizes().vec(), places;
    for (const auto dim : dims) sizes[static_cast<std::size_t>(dim)] = 1;
    for (std::int64_t i = 0; i < self.dim(); ++i)
        if (std::find(dims.begin(), dims.end(), i) == dims.end()) places.push_back(i);
    return prims::broadcastInDim(reduced, sizes, places);
}
template <typename Reduce>
Tensor reduceBy(const Tensor& self, const std::optional<Sizes>& given, bool keepdim, Reduce&& reduce) {
    if (self.dim() == 0) return reduce(self, Sizes());
    const Sizes dims = reducedDims(self, given);
    const Tensor result = reduce(self, dims);
    return keepdim ? keepDims(result, self, dims) : result;
}

Tensor sum(const Tensor& self, const std::optional<Sizes>& dims, bool keepdim, std::optional<Dtype> given) {
    const bool integers = at::isIntegralType(self.scalar_type(), /*includeBool=*/true);
    const Dtype type = given.value_or(integers ? at::kLong : self.scalar_type());
    const Tensor x = cast(self, computationType(type));
    return cast(reduceBy(x, dims, keepdim, [](const Tensor& t, const Sizes& d) { return prims::reduce("sum", t, d); }),
                type);
}
Tensor mean(const Tensor& self, const std::optional<Sizes>& dims, bool keepdim, std::optional<Dtype> given) {
    const Dtype type = given.value_or(self.scalar_type());
    std::int64_t count = 1;
    if (self.dim() > 0)
        for (const auto dim : reducedDims(self, dims)) count *= self.size(dim);
    const Tensor total = sum(cast(self, computationType(type)), dims, keepdim, std::nullopt);
    return cast(compute("div", {total, wrappedNumber(static_cast<double>(count))}, Promotion::intToFloat), type);
}
Tensor amax(const Tensor& self, const std::optional<Sizes>& dims, bool keepdim) {
    return reduceBy(self, dims, keepdim, [](const Tensor& t, const Sizes& d) { return prims::reduce("amax", t, d); });
}
Tensor amin(const Tensor& self, const std::optional<Sizes>& dims, bool keepdim) {
    return reduceBy(self, dims, keepdim, [](const Tensor& t, const Sizes& d) { return prims::reduce("amin", t, d); });
}
std::optional<std::tuple<Tensor, Tensor>> varMean(const Tensor& self, const std::optional<Sizes>& dims,
                                                  const std::optional<Scalar>& correction, bool keepdim) {
    if (self.is_complex()) return std::nullopt;
    const Opmath math({self});
    const double by = correction.value_or(Scalar(1)).toDouble();
    const Tensor variance =
        reduceBy(math.up(self), dims, keepdim, [&](const Tensor& t, const Sizes& d) { return prims::var(t, d, by); });
    return std::tuple(math.down(variance), mean(self, dims, keepdim, std::nullopt));
}

template <std::size_t... row>
void addPointwise(std::vector<DecompositionRow>& rows, std::index_sequence<row...>) {
    (rows.push_back({kPointwise[row].aten, kPointwise[row].prim, pointwise<row>, kPrims}), ...);
}

}  // namespace

std::vector<DecompositionRow> primsDecompositions() {
    std::vector<DecompositionRow> rows = {
        {"aten.sigmoid.default", "sigmoid", rule<sigmoid>, kPrims},
        {"aten.relu.default", "relu", rule<relu>, kPrims},
        {"aten.where.self", "where", rule<whereOf>, kPrims},
        {"aten.pow.Tensor_Scalar", "pow", rule<power>, kPrims},
        {"aten.logical_not.default", "logical_not", rule<logicalNot>, kPrims},
        {"aten.logical_and.default", "logical_and", rule<logicalAnd>, kPrims},
        {"aten.logical_or.default", "logical_or", rule<logicalOr>, kPrims},
        {"aten.isnan.default", "isnan", rule<isNan>, kPrims},
        {"aten.expand.default", "broadcast_in_dim", rule<expand>, kPrims},
        {"aten.unsqueeze.default", "broadcast_in_dim", rule<unsqueeze>, kPrims},
        {"aten.permute.default", "transpose", rule<permute>, kPrims},
        {"aten.sum.dim_IntList", "sum", rule<sum>, kPrims},
        {"aten.mean.dim", "mean", rule<mean>, kPrims},
        {"aten.amax.default", "amax", rule<amax>, kPrims},
        {"aten.amin.default", "amin", rule<amin>, kPrims},
        {"aten.var_mean.correction", "var_mean", rule<varMean>, kPrims},
    };
    addPointwise(rows, std::make_index_sequence<kPointwise.size()>());
    return rows;
}

}  // namespace aotscope
