#include "ops/shapes/rule_results.h"

#include <ATen/WrapDimUtils.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>

namespace aotscope {

namespace {

using Sizes = std::vector<int64_t>;

bool isIndex(const at::Tensor& t) { return t.scalar_type() == at::kLong || t.scalar_type() == at::kInt; }

/// weight, indices, ...
Results embedding(const RuleCall& call) {
    const at::Tensor weight = call.tensor(0), indices = call.tensor(1);
    TORCH_CHECK(weight.dim() == 2, "embedding: expected a weight of 2 dimensions, found sizes ", weight.sizes());
    TORCH_CHECK(isIndex(indices), "embedding: expected indices of dtype int64 or int32, found ", indices.scalar_type());
    Sizes sizes = indices.sizes().vec();
    sizes.push_back(weight.size(1));
    return {contiguous(sizes, weight)};
}

/// grad_output, indices, num_weights, ...
Results embeddingBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0);
    return {contiguous({call.args[2].toInt(), grad.size(-1)}, grad)};
}

enum BagMode : std::int8_t { kSum, kMean, kMax };

/// weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx:
/// output, bag of each index, size of each bag, positions of the maxima. A sum without gradient has room for one
/// additional bag.
template <bool needsGradient>
Results embeddingBag(const RuleCall& call) {
    const at::Tensor weight = call.tensor(0), indices = call.tensor(1), offsets = call.tensor(2);
    TORCH_CHECK(weight.dim() == 2 && indices.dim() == 1 && offsets.dim() == 1,
                "embedding_bag: expected a matrix of weights and vectors of indices and offsets, found sizes ",
                weight.sizes(), ", ", indices.sizes(), " and ", offsets.sizes());
    const auto mode = call.args[4].toInt();
    const int64_t bags = offsets.size(0) - (call.args[7].toBool() ? 1 : 0);
    TORCH_CHECK(bags >= 0, "embedding_bag: include_last_offset needs at least one offset");
    // The CPU's fast kernel for sums finds the bags itself.
    const auto type = weight.scalar_type();
    const bool fast = call.device.is_cpu() && mode == kSum && weight.stride(1) == 1 &&
                      (type == at::kFloat || type == at::kHalf || type == at::kBFloat16) && call.args[8].toInt() < 0 &&
                      (!call.has(6) || call.tensor(6).stride(0) == 1);
    const int64_t counted = !needsGradient && mode == kSum ? offsets.size(0) : bags;
    const at::Tensor index = indices.scalar_type() == offsets.scalar_type() ? indices : indices.to(at::kLong);
    return {contiguous({bags, weight.size(1)}, weight), contiguous({fast ? 0 : indices.size(0)}, index),
            contiguous({counted}, index),
            contiguous(mode == kMax ? Sizes{bags, weight.size(1)} : Sizes{counted}, index)};
}

/// grad, indices, offset2bag, bag_size, maximum_indices, num_weights, ...
Results embeddingBagDenseBackward(const RuleCall& call) {
    return {contiguous({call.args[5].toInt(), call.tensor(0).size(1)}, call.tensor(0))};
}

/// grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, scale, mode, sparse, ...
Results embeddingBagBackward(const RuleCall& call) {
    TORCH_CHECK(!call.args[9].toBool(),
                "embedding_bag: sparse gradients cannot be traced; build the layer with sparse=False");
    return {contiguous({call.args[6].toInt(), call.tensor(0).size(1)}, call.tensor(0))};
}

/// grad, weight, indices, ...
Results embeddingBagWeightsBackward(const RuleCall& call) {
    return {contiguous({call.tensor(2).size(0)}, call.tensor(0))};
}

/// input, dim, index
Results indexSelect(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), index = call.tensor(2);
    TORCH_CHECK_INDEX(index.dim() <= 1, "index_select(): Index is supposed to be a vector, found sizes ",
                      index.sizes());
    TORCH_CHECK(isIndex(index), "index_select(): Expected dtype int32 or int64 for index, found ", index.scalar_type());
    const auto dim = static_cast<std::size_t>(c10::maybe_wrap_dim(call.args[1].toInt(), input.dim()));
    Sizes sizes = input.sizes().vec();
    if (!sizes.empty()) sizes[dim] = index.numel();
    else TORCH_CHECK_INDEX(index.numel() == 1, "index_select(): Index to scalar can have only 1 value");
    return {contiguous(sizes, input)};
}

/// Whether a number is among others.
Results isNumberIn(const RuleCall& call) { return {contiguous({}, call.tensor(1), at::kBool)}; }

/// input, index
Results take(const RuleCall& call) {
    TORCH_CHECK(call.tensor(1).scalar_type() == at::kLong, "take(): Expected a long tensor for index, but got ",
                call.tensor(1).scalar_type());
    return {contiguous(call.tensor(1).sizes(), call.tensor(0))};
}

Results flip(const RuleCall& call) {
    (void)reducedSizes(call.tensor(0), call.args[1].toIntVector(), true);  // rejects wrong and repeated dimensions
    return {preserved(call.tensor(0))};
}

/// Swaps the two parts of one dimension.
at::Tensor rolled(const at::Tensor& input, int64_t shift, int64_t dim) {
    if (input.numel() == 0) return preserved(input);
    const int64_t size = input.size(dim), start = ((size - shift) % size + size) % size;
    return at::cat({input.narrow(dim, start, size - start), input.narrow(dim, 0, start)}, dim);
}

/// input, shifts, dims: one dimension after the other; empty: flattened.
Results roll(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const Sizes shifts = call.args[1].toIntVector(), dims = call.args[2].toIntVector();
    TORCH_CHECK(!shifts.empty(), "`shifts` required");
    if (dims.empty() && shifts.size() == 1)
        return {input.numel() == 0 ? contiguous(input.sizes(), input)
                                   : rolled(input.contiguous().view(-1), shifts[0], 0).view(input.sizes())};
    TORCH_CHECK(shifts.size() == dims.size(), "shifts and dimensions must align. shifts: ", shifts.size(),
                ", dims:", dims.size());
    at::Tensor result = input;
    for (std::size_t i = 0; i < dims.size(); ++i) result = rolled(result, shifts[i], dims[i]);
    return {result};
}

/// input, k, dims
Results rot90(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const Sizes dims = call.args[2].toIntVector();
    TORCH_CHECK(dims.size() == 2 && reducedSizes(input, dims, true).size() >= 2,
                "expected total rotation dims == 2 in an input of at least 2 dimensions, found ", dims.size(),
                " and sizes ", input.sizes());
    switch (((call.args[1].toInt() % 4) + 4) % 4) {
        case 0: return {contiguous(input.sizes(), input)};
        case 2: return {preserved(input)};
        default: return {preserved(input).transpose(dims[0], dims[1])};
    }
}

/// grad, mask, sizes
Results maskedScatterBackward(const RuleCall& call) { return {contiguous(call.args[2].toIntVector(), call.tensor(0))}; }

/// input, size, fill_value
Results nonzeroStatic(const RuleCall& call) {
    TORCH_CHECK(call.args[1].toInt() >= 0, "nonzero_static: 'size' must be a non-negative integer");
    return {contiguous({call.args[1].toInt(), call.tensor(0).dim()}, call.tensor(0), at::kLong)};
}

/// repeats, output_size
Results repeatInterleave(const RuleCall& call) {
    TORCH_CHECK(!call.args[1].isNone(),
                "repeat_interleave: the result's size depends on the values of 'repeats', which do not exist while "
                "tracing; pass output_size");
    return {contiguous({call.args[1].toInt()}, call.tensor(0))};
}

/// values, offsets, max_lengths, padding: rows of a jagged tensor, padded to a common length
Results jaggedToPadded(const RuleCall& call) {
    const at::Tensor values = call.tensor(0);
    const auto offsets = call.args[1].toTensorVector();
    const Sizes longest = call.args[2].toIntVector();
    TORCH_CHECK(!offsets.empty() && offsets.size() == longest.size() && offsets[0].dim() == 1 && values.dim() >= 1,
                "_jagged_to_padded_dense_forward: expected a maximal length for each of the offsets, found ",
                longest.size(), " for ", offsets.size());
    Sizes sizes = {offsets[0].numel() - 1};
    sizes.insert(sizes.end(), longest.begin(), longest.end());
    sizes.insert(sizes.end(), values.sizes().begin() + 1, values.sizes().end());
    return {contiguous(sizes, values)};
}
/// dense, offsets, total length
Results paddedToJagged(const RuleCall& call) {
    const at::Tensor dense = call.tensor(0);
    TORCH_CHECK(!call.args[2].isNone(),
                "_padded_dense_to_jagged_forward: the number of rows depends on the values of 'offsets', which do not "
                "exist while tracing; pass total_L");
    const auto jagged = static_cast<std::ptrdiff_t>(call.args[1].toTensorVector().size());
    TORCH_CHECK(dense.dim() > jagged, "_padded_dense_to_jagged_forward: expected more than ", jagged,
                " dimensions, found sizes ", dense.sizes());
    Sizes sizes = {call.args[2].toInt()};
    sizes.insert(sizes.end(), dense.sizes().begin() + jagged + 1, dense.sizes().end());
    return {contiguous(sizes, dense)};
}

at::ScalarType positionType(const c10::IValue& int32) { return int32.toBool() ? at::kInt : at::kLong; }

/// input, boundaries, out_int32, right
Results bucketize(const RuleCall& call) {
    TORCH_CHECK(call.tensor(1).dim() == 1, "boundaries tensor must be 1 dimension, but got dim(", call.tensor(1).dim(),
                ")");
    const Sizes sizes = call.args[0].isTensor() ? call.tensor(0).sizes().vec() : Sizes{};
    return {contiguous(sizes, call.tensor(1), positionType(call.args[2]))};
}

/// sorted_sequence, input, out_int32, ...
Results searchSorted(const RuleCall& call) {
    const at::Tensor sequence = call.tensor(0);
    if (!call.args[1].isTensor()) return {contiguous({}, sequence, positionType(call.args[2]))};
    const at::Tensor input = call.tensor(1);
    const auto batch = [](const at::Tensor& t) { return t.sizes().slice(0, static_cast<std::size_t>(t.dim()) - 1); };
    TORCH_CHECK(sequence.dim() == 1 || (sequence.dim() == input.dim() && batch(sequence) == batch(input)),
                "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input "
                "value tensor must match, but we got boundaries tensor ",
                sequence.sizes(), " and input value tensor ", input.sizes());
    return {contiguous(input.sizes(), sequence, positionType(call.args[2]))};
}

at::Tensor vectorOf(int64_t count, const c10::IValue& dtype, at::ScalarType standard) {
    const auto type = dtype.isNone() ? standard : dtype.toScalarType();
    return at::empty({count}, at::TensorOptions().dtype(type).device(at::kMeta));
}

/// The number of elements of a rows x columns matrix on and below the diagonal `offset`.
int64_t triangle(int64_t rows, int64_t columns, int64_t offset) {
    int64_t count = 0;
    for (int64_t row = 0; row < rows; ++row) count += std::clamp<int64_t>(row + 1 + offset, 0, columns);
    return count;
}

at::Tensor pairs(int64_t count, const c10::IValue& dtype) {
    return vectorOf(2 * count, dtype, at::kLong).view({2, count});
}

/// rows, columns, offset, dtype, ...
Results lowerTriangle(const RuleCall& call) {
    return {pairs(triangle(call.args[0].toInt(), call.args[1].toInt(), call.args[2].toInt()), call.args[3])};
}
Results upperTriangle(const RuleCall& call) {
    const int64_t rows = call.args[0].toInt(), columns = call.args[1].toInt();
    return {pairs(rows * columns - triangle(rows, columns, call.args[2].toInt() - 1), call.args[3])};
}

/// start, end, steps, dtype
template <int dtype>
Results steps(const RuleCall& call) {
    bool complex = false;
    for (std::size_t i = 0; i < 2; ++i)
        complex = complex || (call.args[i].isTensor() ? call.tensor(i).is_complex() : call.args[i].isComplexDouble());
    const auto standard = c10::get_default_dtype_as_scalartype();
    TORCH_CHECK(call.args[2].toInt() >= 0, "number of steps must be non-negative");
    return {vectorOf(call.args[2].toInt(), call.args[dtype], complex ? c10::toComplexType(standard) : standard)};
}

/// n, dtype; or n, generator, dtype
template <int dtype>
Results permutation(const RuleCall& call) {
    TORCH_CHECK(call.args[0].toInt() >= 0, "n must be non-negative, got ", call.args[0].toInt());
    return {vectorOf(call.args[0].toInt(), call.args[dtype], at::kLong)};
}

}  // namespace

std::vector<ShapeRuleRow> indexingRules() {
    return {
        {"aten::embedding", embedding},
        {"aten::embedding_dense_backward", embeddingBackward},
        {"aten::_embedding_bag", embeddingBag<true>},
        {"aten::_embedding_bag_forward_only", embeddingBag<false>},
        {"aten::_embedding_bag_backward", embeddingBagBackward},
        {"aten::_embedding_bag_dense_backward", embeddingBagDenseBackward},
        {"aten::_embedding_bag_per_sample_weights_backward", embeddingBagWeightsBackward},
        {"aten::index_select", indexSelect},
        {"aten::take", take},
        {"aten::isin.Scalar_Tensor", isNumberIn},
        {"aten::flip", flip},
        {"aten::roll", roll},
        {"aten::rot90", rot90},
        {"aten::masked_scatter_backward", maskedScatterBackward},
        {"aten::nonzero_static", nonzeroStatic},
        {"aten::repeat_interleave.Tensor", repeatInterleave},
        {"aten::_jagged_to_padded_dense_forward", jaggedToPadded},
        {"aten::_padded_dense_to_jagged_forward", paddedToJagged},
        {"aten::bucketize.Tensor", bucketize},
        {"aten::bucketize.Scalar", bucketize},
        {"aten::searchsorted.Tensor", searchSorted},
        {"aten::searchsorted.Scalar", searchSorted},
        {"aten::tril_indices", lowerTriangle},
        {"aten::triu_indices", upperTriangle},
        {"aten::linspace.Tensor_Tensor", steps<3>},
        {"aten::linspace.Tensor_Scalar", steps<3>},
        {"aten::linspace.Scalar_Tensor", steps<3>},
        {"aten::logspace.Tensor_Tensor", steps<4>},
        {"aten::logspace.Tensor_Scalar", steps<4>},
        {"aten::logspace.Scalar_Tensor", steps<4>},
        {"aten::randperm", permutation<1>},
        {"aten::randperm.generator", permutation<2>},
    };
}

}  // namespace aotscope
