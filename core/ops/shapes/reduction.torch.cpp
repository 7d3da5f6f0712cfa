#include "ops/shapes/rule_results.h"

#include <ATen/WrapDimUtils.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sum.h>

namespace aotscope {

namespace {

using Sizes = std::vector<int64_t>;

/// Integers are summed in 64 bits.
at::ScalarType sumType(const at::Tensor& input) {
    return c10::isIntegralType(input.scalar_type(), true) ? at::kLong : input.scalar_type();
}

Sizes dimensions(const c10::IValue& value) { return value.isNone() ? Sizes{} : value.toIntVector(); }

void requireElements(const at::Tensor& input) {
    TORCH_CHECK(input.numel() > 0,
                "the maximum or minimum of an empty tensor: expected an input with elements, found sizes ",
                input.sizes());
}

Results extreme(const RuleCall& call) {
    requireElements(call.tensor(0));
    return {contiguous({}, call.tensor(0))};
}
Results extremes(const RuleCall& call) {
    requireElements(call.tensor(0));
    return {contiguous({}, call.tensor(0)), contiguous({}, call.tensor(0))};
}

/// input, dim, keepdim
Results extremesOfDim(const RuleCall& call) {
    const auto sizes = reducedSizes(call.tensor(0), {call.args[1].toInt()}, call.args[2].toBool());
    return {contiguous(sizes, call.tensor(0)), contiguous(sizes, call.tensor(0))};
}

/// Values and their indices along one dimension: input, dim, keepdim.
Results valuesAndIndices(const at::Tensor& input, int64_t dim, bool keepDim) {
    const Sizes sizes = reducedSizes(input, {dim}, keepDim);
    return {contiguous(sizes, input), contiguous(sizes, input, at::kLong)};
}
Results medianOfDim(const RuleCall& call) {
    return valuesAndIndices(call.tensor(0), call.args[1].toInt(), call.args[2].toBool());
}

/// input, k, dim, keepdim
Results kthValue(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const int64_t k = call.args[1].toInt(), dim = call.args[2].toInt();
    const int64_t size = input.dim() == 0 ? 1 : input.size(dim);
    TORCH_CHECK(k >= 1 && k <= size, "kthvalue(): selected number k=", k, " out of range for dimension ", dim,
                " of size ", size);
    return valuesAndIndices(input, dim, call.args[3].toBool());
}

/// input, dim
Results countNonzero(const RuleCall& call) {
    Sizes dims;
    if (call.args[1].isInt()) dims = {call.args[1].toInt()};
    else dims = dimensions(call.args[1]);
    return {at::sum(at::ne(call.tensor(0), 0), dims)};
}

/// input, dim, keepdim, dtype
Results nanSum(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const auto type = call.args[3].isNone() ? sumType(input) : call.args[3].toScalarType();
    return {contiguous(reducedSizes(input, dimensions(call.args[1]), call.args[2].toBool()), input, type)};
}

/// input, dtype
Results product(const RuleCall& call) {
    const auto type = call.args[1].isNone() ? sumType(call.tensor(0)) : call.args[1].toScalarType();
    return {contiguous({}, call.tensor(0), type)};
}

Results trace(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.dim() == 2, "trace: expected a matrix, but got tensor with dim ", input.dim());
    return {contiguous({}, input, sumType(input))};
}

/// The sizes of a variance: input, dim, correction, keepdim.
at::Tensor varianceOf(const RuleCall& call, at::ScalarType type) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(c10::isFloatingType(type) || c10::isComplexType(type),
                "std and var only support floating point and complex dtypes");
    return contiguous(reducedSizes(input, dimensions(call.args[1]), call.args[3].toBool()), input, type);
}
Results variance(const RuleCall& call) { return {varianceOf(call, realType(call.tensor(0).scalar_type()))}; }
Results varianceAndMean(const RuleCall& call) {
    const auto type = call.tensor(0).scalar_type();
    return {varianceOf(call, realType(type)), varianceOf(call, type)};
}

/// input, dims, keepdim
Results logSumExp(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const auto type =
        c10::isIntegralType(input.scalar_type(), true) ? c10::get_default_dtype_as_scalartype() : input.scalar_type();
    return {contiguous(reducedSizes(input, call.args[1].toIntVector(), call.args[2].toBool()), input, type)};
}

/// input, dim
Results cumulativeExtreme(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    (void)c10::maybe_wrap_dim(call.args[1].toInt(), input.dim());
    return {contiguous(input.sizes(), input), contiguous(input.sizes(), input, at::kLong)};
}

/// Two vectors.
Results dot(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    TORCH_CHECK(a.dim() == 1 && b.dim() == 1, "1D tensors expected, but got ", a.dim(), "D and ", b.dim(), "D tensors");
    TORCH_CHECK(a.scalar_type() == b.scalar_type(), "dot : expected both vectors to have same dtype, but found ",
                a.scalar_type(), " and ", b.scalar_type());
    TORCH_CHECK(a.numel() == b.numel(), "inconsistent tensor size, expected tensor [", a.numel(), "] and src [",
                b.numel(), "] to have the same number of elements");
    return {contiguous({}, a)};
}

/// input, bins, ...
Results histc(const RuleCall& call) {
    TORCH_CHECK(call.args[1].toInt() > 0, "histc: bins must be > 0, but got ", call.args[1].toInt());
    return {contiguous({call.args[1].toInt()}, call.tensor(0))};
}
Results histogram(const RuleCall& call) {
    const int64_t bins = call.args[1].isInt() ? call.args[1].toInt() : call.tensor(1).numel() - 1;
    return {contiguous({bins}, call.tensor(0)), contiguous({bins + 1}, call.tensor(0))};
}

/// input, bins, range, weight, density: a histogram over the columns of a matrix
Results histogramOfColumns(const RuleCall& call) { return {contiguous(call.args[1].toIntVector(), call.tensor(0))}; }
Results binEdges(const RuleCall& call) {
    c10::List<at::Tensor> edges;
    for (const int64_t bins : call.args[1].toIntVector()) {
        TORCH_CHECK(bins > 0, "_histogramdd_bin_edges: bins must be > 0, but got ", bins);
        edges.push_back(contiguous({bins + 1}, call.tensor(0)));
    }
    return {edges};
}
/// The same, with edges instead of bin counts.
Results histogramBetweenEdges(const RuleCall& call) {
    Sizes bins;
    for (const at::Tensor& edges : call.args[1].toTensorVector()) bins.push_back(edges.numel() - 1);
    return {contiguous(bins, call.tensor(0))};
}

/// data, reduce, lengths, indices, offsets, axis, ...: an element for each length, or between two offsets
Results segmentReduce(const RuleCall& call) {
    const at::Tensor data = call.tensor(0), lengths = call.tensor(2), offsets = call.tensor(4);
    TORCH_CHECK(lengths.defined() || offsets.defined(), "segment_reduce(): Either lengths or offsets must be defined.");
    const int64_t axis = c10::maybe_wrap_dim(call.args[5].toInt(), data.dim());
    const at::Tensor& segments = lengths.defined() ? lengths : offsets;
    TORCH_CHECK(segments.dim() == axis + 1, "segment_reduce(): expected ", axis + 1,
                " dimensions of lengths or offsets, found sizes ", segments.sizes());
    Sizes sizes = data.sizes().vec();
    sizes[static_cast<std::size_t>(axis)] = segments.size(-1) - (lengths.defined() ? 0 : 1);
    return {contiguous(sizes, data)};
}
/// grad, output, data, ...
Results segmentReduceBackward(const RuleCall& call) { return {contiguous(call.tensor(2).sizes(), call.tensor(0))}; }

/// Tensors: the largest element of each.
Results forEachMax(const RuleCall& call) {
    c10::List<at::Tensor> results;
    for (const at::Tensor& t : call.args[0].toTensorVector()) {
        requireElements(t);
        results.push_back(contiguous({}, t));
    }
    return {results};
}

/// input, ord, dim, keepdim, dtype: a sum of powers of magnitudes
Results powerSum(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const auto type = realType(call.args[4].isNone() ? sumType(input) : call.args[4].toScalarType());
    return {contiguous(reducedSizes(input, dimensions(call.args[2]), call.args[3].toBool()), input, type)};
}

/// Tensors, ord, dtype
Results forEachPowerSum(const RuleCall& call) {
    c10::List<at::Tensor> results;
    for (const at::Tensor& t : call.args[0].toTensorVector())
        results.push_back(
            contiguous({}, t, realType(call.args[2].isNone() ? sumType(t) : call.args[2].toScalarType())));
    return {results};
}

/// Tensors: magnitudes.
Results forEachAbs(const RuleCall& call) {
    c10::List<at::Tensor> results;
    for (const at::Tensor& t : call.args[0].toTensorVector())
        results.push_back(preserved(t, realType(t.scalar_type())));
    return {results};
}

}  // namespace

std::vector<ShapeRuleRow> reductionRules() {
    return {
        {"aten::max", extreme},
        {"aten::min", extreme},
        {"aten::median", scalarRule},
        {"aten::nanmedian", scalarRule},
        {"aten::median.dim", medianOfDim},
        {"aten::nanmedian.dim", medianOfDim},
        {"aten::mode", medianOfDim},
        {"aten::kthvalue", kthValue},
        {"aten::_aminmax", extremes},
        {"aten::_aminmax.dim", extremesOfDim},
        {"aten::count_nonzero", countNonzero},
        {"aten::count_nonzero.dim_IntList", countNonzero},
        {"aten::nansum", nanSum},
        {"aten::prod", product},
        {"aten::trace", trace},
        {"aten::std.correction", variance},
        {"aten::var.correction", variance},
        {"aten::std_mean.correction", varianceAndMean},
        {"aten::var_mean.correction", varianceAndMean},
        {"aten::logsumexp", logSumExp},
        {"aten::cummax", cumulativeExtreme},
        {"aten::cummin", cumulativeExtreme},
        {"aten::_cummax_helper", nothingRule},
        {"aten::_cummin_helper", nothingRule},
        {"aten::logcumsumexp", contiguousRule},
        {"aten::_logcumsumexp", contiguousRule},
        {"aten::dot", dot},
        {"aten::vdot", dot},
        {"aten::histc", histc},
        {"aten::histogram.bin_ct", histogram},
        {"aten::histogram.bins_tensor", histogram},
        {"aten::_histogramdd_bin_edges", binEdges},
        {"aten::_histogramdd_from_bin_cts", histogramOfColumns},
        {"aten::_histogramdd_from_bin_tensors", histogramBetweenEdges},
        {"aten::segment_reduce", segmentReduce},
        {"aten::_segment_reduce_backward", segmentReduceBackward},
        {"aten::_foreach_max", forEachMax},
        {"aten::_foreach_abs", forEachAbs},
        {"aten::linalg__powsum", powerSum},
        {"aten::_foreach_powsum.Scalar", forEachPowerSum},
        {"aten::_foreach_abs_", nothingRule},
    };
}

}  // namespace aotscope
