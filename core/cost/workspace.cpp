#include "cost/workspace.h"

#include "cost/flops.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

const TensorType* operandType(const Node& node, std::size_t argument) {
    const Node* value = tensorArgument(node, argument);
    return value ? value->type.tensor() : nullptr;
}

std::int64_t bytesOf(const Node& node, std::size_t argument) {
    const TensorType* type = operandType(node, argument);
    return type ? type->bytes() : 0;
}

std::int64_t integerOf(const Node& node, std::size_t argument) {
    const std::int64_t* number = argument < node.args().size() ? node.args()[argument].integer() : nullptr;
    return number ? *number : 0;
}

std::int64_t asMuchAsTheResult(const Node& node, int) {
    const TensorType* result = node.type.firstTensor();
    return result ? result->bytes() : 0;
}

/// Operands that are not contiguous are copied.
std::int64_t contiguousCopies(const Node& node, int) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < node.args().size(); ++i)
        if (const TensorType* type = operandType(node, i); type && !type->isContiguous()) bytes += type->bytes();
    return bytes;
}

/// Which elements are infinite, and whether all of a row are.
std::int64_t safeSoftmaxBytes(const Node& node, int) {
    const TensorType* result = node.type.firstTensor();
    if (!result || result->sizes.empty()) return 0;
    const std::int64_t dimension = integerOf(node, 1), rank = static_cast<std::int64_t>(result->sizes.size());
    if (dimension < -rank || dimension >= rank) return 0;
    const std::int64_t row = result->sizes[static_cast<std::size_t>(dimension < 0 ? dimension + rank : dimension)];
    return result->numel() + (row > 0 ? result->numel() / row : 0);
}

/// A kernel that reads each element once computes a product over the plain layout.
bool isProduct(const TensorType& kernel, const Node& node, std::size_t stride) {
    const auto all = [&](std::size_t argument, std::int64_t number) {
        const auto* list = argument < node.args().size() ? node.args()[argument].list() : nullptr;
        return list && std::ranges::all_of(
                           *list, [&](const Argument& each) { return each.integer() && *each.integer() == number; });
    };
    return std::all_of(kernel.sizes.begin() + 2, kernel.sizes.end(), [](std::int64_t size) { return size == 1; }) &&
           all(stride, 1) && all(stride + 1, 0) && integerOf(node, stride + 5) == 1;
}

/// oneDNN computes in blocks of at least 8 channels.
std::int64_t blockedBytes(const Node& node, std::size_t argument) {
    constexpr std::int64_t kBlock = 8;
    const TensorType* type = operandType(node, argument);
    return type && type->sizes.size() >= 2 && type->sizes[1] >= kBlock ? type->bytes() : 0;
}

/// Blocked operands while it computes, then the blocked result and the result.
std::int64_t convolutionBytes(const Node& node, int threads) {
    const TensorType* kernel = operandType(node, 1);
    if (kernel && kernel->sizes.size() > 2 && isProduct(*kernel, node, 3)) return 0;
    return std::max(blockedBytes(node, 0) + bytesOf(node, 1), asMuchAsTheResult(node, threads));
}

/// Both operands of the weight gradient, blocked, then that gradient in blocks and plain.
std::int64_t convolutionBackwardBytes(const Node& node, int) {
    const TensorType* kernel = operandType(node, 2);
    if (kernel && kernel->sizes.size() > 2 && isProduct(*kernel, node, 4)) return 0;
    return std::max(blockedBytes(node, 0) + blockedBytes(node, 1), bytesOf(node, 2));
}

/// Sums of the gradients of weight and bias for each thread.
std::int64_t layerNormBackwardBytes(const Node& node, int threads) {
    const TensorType* weight = operandType(node, 5);
    return contiguousCopies(node, threads) + (weight ? 2 * threads * weight->bytes() : 0);
}

/// Two sums for each channel.
std::int64_t groupNormBackwardBytes(const Node& node, int threads) {
    constexpr std::int64_t kSums = 2 * sizeof(float);
    const TensorType* input = operandType(node, 1);
    if (!input || input->sizes.size() < 2 || input->numel() == 0) return 0;
    return contiguousCopies(node, threads) + kSums * input->sizes[0] * input->sizes[1];
}

/// Channels last needs none.
std::int64_t batchNormBackwardBytes(const Node& node, int threads) {
    const TensorType* input = operandType(node, 1);
    return input && input->isContiguous() ? asMuchAsTheResult(node, threads) : 0;
}

/// What threads hold in blocks of attention: for each query of a block `squares` numbers for each key of a block, and
/// `others` beside.
std::int64_t attentionBlocks(const TensorType& query, const TensorType& key, std::int64_t squares, std::int64_t others,
                             int threads) {
    constexpr std::int64_t kNumber = 4, kMostKeys = 512, kMostOthers = 1 << 20;  // files may say anything
    const std::int64_t length = query.sizes[2];
    const std::int64_t queries = std::min<std::int64_t>(length, length >= 768 ? 256 : length >= 192 ? 64 : 32);
    return threads * kNumber * queries * (squares * std::min(key.sizes[2], kMostKeys) + std::min(others, kMostOthers));
}

/// Weights, a result, and a maximum and a sum.
std::int64_t attentionBytes(const Node& node, int threads) {
    const TensorType *query = operandType(node, 0), *key = operandType(node, 1);
    const bool known = query && key && query->sizes.size() == 4 && key->sizes.size() == 4;
    return known ? attentionBlocks(*query, *key, 1, query->sizes[3] + 2, threads) : 0;
}

/// Weights, their gradients, and a sum; and the gradient of the result, unless heads are the inner dimension.
std::int64_t attentionBackwardBytes(const Node& node, int threads) {
    const TensorType *gradient = operandType(node, 0), *query = operandType(node, 1), *key = operandType(node, 2);
    const bool known = gradient && query && key && gradient->sizes.size() == 4 && gradient->strides.size() == 4 &&
                       query->sizes.size() == 4 && key->sizes.size() == 4;
    if (!known) return 0;
    TensorType byPosition = *gradient;
    std::swap(byPosition.sizes[1], byPosition.sizes[2]);
    std::swap(byPosition.strides[1], byPosition.strides[2]);
    return attentionBlocks(*query, *key, 2, 1, threads) + (byPosition.isContiguous() ? 0 : gradient->bytes());
}

/// The losses of all elements before their reduction.
std::int64_t elementwiseLossBytes(const Node& node, int) {
    const bool reduces = node.type.tensor() && node.type.tensor()->sizes.empty();
    return reduces ? std::max(bytesOf(node, 0), bytesOf(node, 1)) : 0;
}

/// Dimension by dimension.
std::int64_t rollBytes(const Node& node, int threads) {
    const auto* dimensions = node.args().size() > 2 ? node.args()[2].list() : nullptr;
    const auto count = dimensions ? static_cast<std::int64_t>(dimensions->size()) : 0;
    return count > 1 ? (count - 1) * asMuchAsTheResult(node, threads) : 0;
}

/// Whether values of `a` become those of `b` when both meet.
bool yields(DType a, DType b) {
    const auto rank = [](DType dtype) {
        switch (kindOf(dtype)) {
            case DTypeKind::boolean: return 0;
            case DTypeKind::integer: return 1;
            case DTypeKind::real: return 2;
            default: return 3;
        }
    };
    return std::pair(rank(a), itemSize(a)) < std::pair(rank(b), itemSize(b));
}

std::int64_t convertedTo(DType dtype, const TensorType& type) {
    return type.numel() * static_cast<std::int64_t>(itemSize(dtype));
}

/// Pointwise operations convert whole operands to the dtype that they compute in. Those of complex numbers with real
/// results are computed in complex numbers.
std::int64_t convertedBytes(const Node& node) {
    static constexpr std::array<std::string_view, 5> kTakeOthers = {"aten._to_copy", "aten.where", "aten.masked_fill",
                                                                    "aten.copy", "aten.clone"};
    if (opFamily(node.op()) != OpFamily::pointwise || std::ranges::count(kTakeOthers, packetOf(node.op())) > 0)
        return 0;
    const TensorType* result = node.type.tensor();
    if (!result) return 0;
    DType common = result->dtype;
    if (common == DType::b8)  // a comparison
        for (std::size_t i = 0; i < node.args().size(); ++i)
            if (const TensorType* type = operandType(node, i); type && yields(common, type->dtype))
                common = type->dtype;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < node.args().size(); ++i)
        if (const TensorType* type = operandType(node, i); type && !type->sizes.empty() && type->dtype != common)
            bytes += convertedTo(yields(common, type->dtype) ? type->dtype : common, *type);
    return bytes;
}

/// Reductions and scans convert their operand first.
std::int64_t accumulatedBytes(const Node& node, int) {
    const TensorType *operand = operandType(node, 0), *result = node.type.tensor();
    return operand && result && operand->dtype != result->dtype ? convertedTo(result->dtype, *operand) : 0;
}

using WorkspaceFormula = std::int64_t (*)(const Node&, int threads);

/// From LibTorch's sources, and by watching the allocator during each operation.
const std::unordered_map<std::string_view, WorkspaceFormula>& cpuFormulas() {
    static const std::unordered_map<std::string_view, WorkspaceFormula> table = {
        {"aten.convolution", convolutionBytes},
        {"aten.convolution_backward", convolutionBackwardBytes},
        {"aten.native_batch_norm_backward", batchNormBackwardBytes},
        {"aten.native_layer_norm", contiguousCopies},
        {"aten.native_layer_norm_backward", layerNormBackwardBytes},
        {"aten.native_group_norm_backward", groupNormBackwardBytes},
        {"aten.native_dropout", asMuchAsTheResult},
        {"aten.native_dropout_backward", asMuchAsTheResult},
        {"aten._softmax", contiguousCopies},
        {"aten._log_softmax", contiguousCopies},
        {"aten._softmax_backward_data", contiguousCopies},
        {"aten._log_softmax_backward_data", contiguousCopies},
        {"aten._safe_softmax", safeSoftmaxBytes},
        {"aten.embedding_dense_backward", contiguousCopies},
        {"aten._scaled_dot_product_flash_attention_for_cpu", attentionBytes},
        {"aten._scaled_dot_product_flash_attention_for_cpu_backward", attentionBackwardBytes},
        {"aten.mse_loss", elementwiseLossBytes},
        {"aten.smooth_l1_loss", elementwiseLossBytes},
        {"aten.huber_loss", elementwiseLossBytes},
        {"aten.roll", rollBytes},
        {"aten.sum", accumulatedBytes},
        {"aten.prod", accumulatedBytes},
        {"aten.mean", accumulatedBytes},
        {"aten.cumsum", accumulatedBytes},
    };
    return table;
}

}  // namespace

std::int64_t workspaceBytes(const Node& node, int threads) {
    if (node.kind() != NodeKind::call) return 0;
    const TensorType* result = node.type.firstTensor();
    const Node* operand = tensorArgument(node, 0);
    const TensorType* type = result ? result : operand ? operand->type.tensor() : nullptr;
    if (!type || !type->device.name.starts_with("cpu")) return 0;
    const auto formula = cpuFormulas().find(packetOf(operationOf(node)));
    return formula == cpuFormulas().end() ? convertedBytes(node) : formula->second(node, threads);
}

}  // namespace aotscope
