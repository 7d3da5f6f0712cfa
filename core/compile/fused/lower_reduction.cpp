#include "compile/fused/lowering.h"

#include <cmath>

namespace aotscope {

namespace {

using Call = LoweredCall;
using Results = LoweredResults;

Expr meanOf(Expr x, std::int64_t count) { return reduceSum(x) / static_cast<double>(count); }

Results sum(Call& c) { return c.result() == DType::b8 ? Results{} : Results{reduceSum(c.x(0))}; }
Results product(Call& c) { return c.result() == DType::b8 ? Results{} : Results{apply(Opcode::reduceProd, c.x(0))}; }
Results mean(Call& c) {
    const auto count = c.reducedCount();
    return count && c.isReal() ? Results{meanOf(c.x(0), *count)} : Results{};
}
template <Opcode op>
Results reducedExtremum(Call& c) {
    // Without elements there is no extremum.
    return c.reducedCount().value_or(1) == 0 || c.result() == DType::b8 ? Results{} : Results{apply(op, c.x(0))};
}
Results any(Call& c) { return {convert(reduceMax(convert(c.truth(0), ComputeType::i64)), ComputeType::boolean)}; }
Results all(Call& c) { return {convert(reduceMin(convert(c.truth(0), ComputeType::i64)), ComputeType::boolean)}; }

struct Moments {
    Expr variance, mean;
};
/// ATen returns NaN without elements, or if the correction leaves none.
std::optional<Moments> moments(Call& c) {
    const auto count = c.reducedCount();
    const double correction = c.literal(2, "correction", 1);
    if (!c.isReal() || !count || static_cast<double>(*count) <= correction) return std::nullopt;
    const Expr x = c.x(0), mean = meanOf(x, *count), distance = x - mean;
    return Moments{reduceSum(distance * distance) / (static_cast<double>(*count) - correction), mean};
}
Results variance(Call& c) {
    const auto m = moments(c);
    return m ? Results{m->variance} : Results{};
}
Results deviation(Call& c) {
    const auto m = moments(c);
    return m ? Results{sqrt(m->variance)} : Results{};
}
Results varianceAndMean(Call& c) {
    const auto m = moments(c);
    return m ? Results{m->variance, m->mean} : Results{};
}

Results softmax(Call& c) {
    const Expr x = c.x(0), e = exp(x - reduceMax(x));
    return {e / reduceSum(e)};
}
Results logSoftmax(Call& c) {
    const Expr x = c.x(0), shifted = x - reduceMax(x);
    return {shifted - log(reduceSum(exp(shifted)))};
}
/// The gradient may have a wider dtype than the result.
Results softmaxBackward(Call& c) {
    const Expr gradient = c.raw(0), y = c.raw(1);
    if (gradient.computeType != y.computeType) return {};
    return {y * (gradient - reduceSum(gradient * y))};
}
Results logSoftmaxBackward(Call& c) {
    const Expr gradient = c.raw(0), y = c.raw(1);
    if (gradient.computeType != y.computeType) return {};
    return {gradient - exp(y) * reduceSum(gradient)};
}

}  // namespace

LoweringTable reductionLowerings() {
    using enum Lowering::Shape;
    return {
        {"aten.sum.default", {sum, reduction, std::nullopt}},
        {"aten.sum.dim_IntList", {sum, reduction, 1}},
        {"aten.prod.default", {product, reduction, std::nullopt}},
        {"aten.prod.dim_int", {product, reduction, 1}},
        {"aten.mean.default", {mean, reduction, std::nullopt}},
        {"aten.mean.dim", {mean, reduction, 1}},
        {"aten.amax.default", {reducedExtremum<Opcode::reduceMax>, reduction, 1}},
        {"aten.amin.default", {reducedExtremum<Opcode::reduceMin>, reduction, 1}},
        {"aten.any.default", {any, reduction, std::nullopt}},
        {"aten.any.dim", {any, reduction, 1}},
        {"aten.any.dims", {any, reduction, 1}},
        {"aten.all.default", {all, reduction, std::nullopt}},
        {"aten.all.dim", {all, reduction, 1}},
        {"aten.all.dims", {all, reduction, 1}},
        {"aten.var.correction", {variance, reduction, 1}},
        {"aten.std.correction", {deviation, reduction, 1}},
        {"aten.var_mean.correction", {varianceAndMean, reduction, 1}},
        {"aten._softmax.default", {softmax, rowwise, 1}},
        {"aten._log_softmax.default", {logSoftmax, rowwise, 1}},
        {"aten._softmax_backward_data.default", {softmaxBackward, rowwise, 2}},
        {"aten._log_softmax_backward_data.default", {logSoftmaxBackward, rowwise, 2}},
    };
}

}  // namespace aotscope
