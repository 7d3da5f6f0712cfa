#include "cost/flops.h"

#include "cost/subgraph_cost.h"
#include "ops/op_table.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

using Sizes = std::vector<std::int64_t>;

std::int64_t product(const Sizes& sizes, std::size_t from = 0) {
    return std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(std::min(from, sizes.size())), sizes.end(),
                           std::int64_t{1}, std::multiplies<>());
}

/// Null unless argument `position` is a tensor of `rank` dimensions.
const Sizes* sizesOf(const Node& node, std::size_t position, std::size_t rank) {
    const Node* argument = tensorArgument(node, position);
    const auto* type = argument ? argument->type.tensor() : nullptr;
    return type && type->sizes.size() == rank ? &type->sizes : nullptr;
}

const Sizes* convolutionSizes(const Node& node, std::size_t position) {
    const Node* argument = tensorArgument(node, position);
    const auto* type = argument ? argument->type.tensor() : nullptr;
    return type && type->sizes.size() >= 2 ? &type->sizes : nullptr;
}

bool flagAt(const Node& node, std::size_t position) {
    const auto* flag = position < node.args().size() ? std::get_if<bool>(&node.args()[position].value) : nullptr;
    return flag && *flag;
}

template <std::size_t first>
std::int64_t matrixProduct(const Node& node) {
    const Sizes *a = sizesOf(node, first, 2), *b = sizesOf(node, first + 1, 2);
    return a && b ? 2 * (*a)[0] * (*a)[1] * (*b)[1] : 0;
}

template <std::size_t first>
std::int64_t batchedProduct(const Node& node) {
    const Sizes *a = sizesOf(node, first, 3), *b = sizesOf(node, first + 1, 3);
    return a && b ? 2 * (*a)[0] * (*a)[1] * (*a)[2] * (*b)[2] : 0;
}

/// Every element of the weight meets every position of the output; of the input if the convolution is transposed.
std::int64_t convolutionFlops(const Sizes& input, const Sizes& weight, const Sizes& output, bool transposed) {
    return 2 * input[0] * product(transposed ? input : output, 2) * product(weight);
}

std::int64_t convolution(const Node& node) {
    const Sizes *input = convolutionSizes(node, 0), *weight = convolutionSizes(node, 1);
    const auto* output = node.type.tensor();
    if (!input || !weight || !output || output->sizes.size() < 2) return 0;
    return convolutionFlops(*input, *weight, output->sizes, flagAt(node, 6));
}

Sizes swapped(Sizes sizes) {
    std::swap(sizes[0], sizes[1]);
    return sizes;
}

bool wanted(const Node& node, std::size_t gradient) {
    const auto* mask = node.args().size() > 10 ? node.args()[10].list() : nullptr;
    const auto* flag = mask && gradient < mask->size() ? std::get_if<bool>(&(*mask)[gradient].value) : nullptr;
    return !flag || *flag;
}

/// The gradient of the input is a transposed convolution of the output's gradient; that of the weight convolves one
/// with the other, with channels and batch swapped. PyTorch ignores the groups there.
std::int64_t convolutionBackward(const Node& node) {
    const Sizes *output = convolutionSizes(node, 0), *input = convolutionSizes(node, 1),
                *weight = convolutionSizes(node, 2);
    if (!output || !input || !weight) return 0;
    const bool transposed = flagAt(node, 7);
    std::int64_t flops = 0;
    if (wanted(node, 0)) flops += convolutionFlops(*output, *weight, *input, !transposed);
    if (wanted(node, 1)) {
        const Sizes a = swapped(transposed ? *output : *input), b = swapped(transposed ? *input : *output);
        flops += convolutionFlops(a, b, swapped(*weight), false);
    }
    return flops;
}

/// Two products for each pair of positions, over the widths of query and value.
std::int64_t attentionFlops(const Sizes& query, const Sizes& key, const Sizes& value) {
    return 2 * query[0] * query[1] * query[2] * key[2] * (query[3] + value[3]);
}

/// Five: the scores again, their gradient, and those of value, query and key.
std::int64_t attentionBackwardFlops(const Sizes& query, const Sizes& key, const Sizes& value) {
    return 2 * query[0] * query[1] * query[2] * key[2] * (3 * query[3] + 2 * value[3]);
}

std::int64_t attention(const Node& node) {
    const Sizes *query = sizesOf(node, 0, 4), *key = sizesOf(node, 1, 4), *value = sizesOf(node, 2, 4);
    return query && key && value ? attentionFlops(*query, *key, *value) : 0;
}

std::int64_t attentionBackward(const Node& node) {
    const Sizes *query = sizesOf(node, 1, 4), *key = sizesOf(node, 2, 4), *value = sizesOf(node, 3, 4);
    return query && key && value ? attentionBackwardFlops(*query, *key, *value) : 0;
}

std::int64_t integerAt(const Node& node, std::size_t position) {
    if (position >= node.args().size()) return 0;
    if (const auto* number = node.args()[position].integer()) return *number;
    const Node* argument = node.args()[position].node();
    const auto* scalar = argument ? argument->type.scalar() : nullptr;
    return scalar ? static_cast<std::int64_t>(scalar->hint) : 0;
}

/// Sizes as (batch, heads, sequence, width); for packed sequences, their number and the longest length. `lengths` is
/// the position of the sequence offsets of query and key, followed by the longest lengths.
struct AttentionSizes {
    Sizes query, key, value;
};
std::optional<AttentionSizes> packedSizes(const Node& node, std::size_t first, std::size_t lengths,
                                          std::size_t packedRank) {
    const Node* borders = tensorArgument(node, lengths);
    const std::size_t rank = borders ? packedRank : 4;
    const Sizes *query = sizesOf(node, first, rank), *key = sizesOf(node, first + 1, rank),
                *value = sizesOf(node, first + 2, rank);
    if (!query || !key || !value) return std::nullopt;
    if (!borders) return AttentionSizes{*query, *key, *value};
    const Sizes* starts = sizesOf(node, lengths, 1);
    const std::int64_t sequences = starts ? (*starts)[0] - 1 : 0;
    const std::int64_t queries = integerAt(node, lengths + 2), keys = integerAt(node, lengths + 3);
    const auto one = [&](const Sizes& packed, std::int64_t length) {
        return Sizes{sequences, packed[packedRank - 2], length, packed[packedRank - 1]};
    };
    return AttentionSizes{one(*query, queries), one(*key, keys), one(*value, keys)};
}

template <std::size_t first, std::size_t lengths, std::size_t packedRank, auto count>
std::int64_t packedAttention(const Node& node) {
    const auto sizes = packedSizes(node, first, lengths, packedRank);
    return sizes ? count(sizes->query, sizes->key, sizes->value) : 0;
}

using Formula = std::int64_t (*)(const Node&);
using FormulaTable = std::unordered_map<std::string_view, Formula>;

Formula find(const FormulaTable& table, const Node& node) {
    const auto it = node.kind() == NodeKind::call ? table.find(packetOf(node.op())) : table.end();
    return it == table.end() ? nullptr : it->second;
}

/// The operators that PyTorch's counter supports.
const FormulaTable& countedFormulas() {
    static const FormulaTable table = {
        {"aten.mm", matrixProduct<0>},
        {"aten.addmm", matrixProduct<1>},
        {"aten.bmm", batchedProduct<0>},
        {"aten.baddbmm", batchedProduct<1>},
        {"aten._scaled_mm", matrixProduct<0>},
        {"aten.convolution", convolution},
        {"aten._convolution", convolution},
        {"aten.cudnn_convolution", convolution},
        {"aten.convolution_overrideable", convolution},
        {"aten._slow_conv2d_forward", convolution},
        {"aten.convolution_backward", convolutionBackward},
        {"aten._scaled_dot_product_efficient_attention", attention},
        {"aten._scaled_dot_product_flash_attention", attention},
        {"aten._scaled_dot_product_cudnn_attention", attention},
        {"aten._scaled_dot_product_efficient_attention_backward", attentionBackward},
        {"aten._scaled_dot_product_flash_attention_backward", attentionBackward},
        {"aten._scaled_dot_product_cudnn_attention_backward", attentionBackward},
        {"aten._flash_attention_forward", packedAttention<0, 3, 3, attentionFlops>},
        {"aten._efficient_attention_forward", packedAttention<0, 4, 4, attentionFlops>},
        {"aten._flash_attention_backward", packedAttention<1, 6, 3, attentionBackwardFlops>},
        {"aten._efficient_attention_backward", packedAttention<1, 6, 4, attentionBackwardFlops>},
    };
    return table;
}

/// Every element of the result is a sum over the last dimension of the first factor.
template <std::size_t first>
std::int64_t sumsOfProducts(const Node& node) {
    const auto* result = node.type.tensor();
    const Node* factor = tensorArgument(node, first);
    const auto* type = factor ? factor->type.tensor() : nullptr;
    return result && type && !type->sizes.empty() ? 2 * result->numel() * type->sizes.back() : 0;
}

std::int64_t groupedConvolutionBackward(const Node& node) {
    const Sizes *output = convolutionSizes(node, 0), *input = convolutionSizes(node, 1),
                *weight = convolutionSizes(node, 2);
    if (!output || !input || !weight) return 0;
    const bool transposed = flagAt(node, 7);
    return (wanted(node, 0) + wanted(node, 1)) * convolutionFlops(*input, *weight, *output, transposed);
}

const FormulaTable& uncountedFormulas() {
    static const FormulaTable table = {
        {"aten.convolution_backward", groupedConvolutionBackward},
        {"aten._scaled_dot_product_flash_attention_for_cpu", attention},
        {"aten._scaled_dot_product_flash_attention_for_cpu_backward", attentionBackward},
        {"aten._scaled_dot_product_fused_attention_overrideable", attention},
        {"aten._scaled_dot_product_fused_attention_overrideable_backward", attentionBackward},
        {"aten.mv", sumsOfProducts<0>},
        {"aten.addmv", sumsOfProducts<1>},
        {"aten.dot", sumsOfProducts<0>},
        {"aten.vdot", sumsOfProducts<0>},
        {"aten.matmul", sumsOfProducts<0>},
        {"aten.linear", sumsOfProducts<0>},
        {"aten._int_mm", sumsOfProducts<0>},
    };
    return table;
}

/// A count beyond any real graph, so that sums of a file's claims do not overflow.
constexpr double kMostOperations = 1e18;

std::int64_t within(const Node& node, std::int64_t (*count)(const Node&)) {
    const double operations = costWithin(node, [&](const Node& inner) { return static_cast<double>(count(inner)); });
    return static_cast<std::int64_t>(std::min(operations, kMostOperations));
}

}  // namespace

const Node* tensorArgument(const Node& node, std::size_t position, std::string_view name) {
    const Argument* given = node.argument(position, name);
    const Node* value = given ? given->node() : nullptr;
    return value && value->type.tensor() ? value : nullptr;
}

std::int64_t flopCount(const Node& node) {
    if (isHigherOrder(node)) return within(node, flopCount);
    const Formula formula = find(countedFormulas(), node);
    return formula ? formula(node) : 0;
}

std::int64_t arithmeticOperations(const Node& node) {
    if (isHigherOrder(node)) return within(node, arithmeticOperations);
    const Formula formula = find(uncountedFormulas(), node);
    return formula ? formula(node) : flopCount(node);
}

}  // namespace aotscope
