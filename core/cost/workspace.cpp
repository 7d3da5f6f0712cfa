#include "cost/workspace.h"

#include "cost/flops.h"
#include "ops/repeated_draws.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

std::int64_t bytesOf(const Node& node, std::size_t argument) {
    const Node* value = tensorArgument(node, argument);
    return value ? value->type.tensor()->bytes() : 0;
}

std::int64_t asMuchAsTheResult(const Node& node) {
    const TensorType* result = node.type.firstTensor();
    return result ? result->bytes() : 0;
}

std::int64_t oneByteForEachElement(const Node& node) {
    const TensorType* result = node.type.firstTensor();
    return result ? result->numel() : 0;
}

/// oneDNN computes in blocks of at least 8 channels.
std::int64_t blockedBytes(const Node& node, std::size_t argument) {
    constexpr std::int64_t kBlock = 8;
    const Node* value = tensorArgument(node, argument);
    if (!value || value->type.tensor()->sizes.size() < 2 || value->type.tensor()->sizes[1] < kBlock) return 0;
    return value->type.tensor()->bytes();
}

/// Blocked operands while it computes, then the blocked result and the result.
std::int64_t convolutionBytes(const Node& node) {
    return std::max(blockedBytes(node, 0) + bytesOf(node, 1), asMuchAsTheResult(node));
}

/// Both operands of the weight gradient, blocked, then that gradient in blocks and plain.
std::int64_t convolutionBackwardBytes(const Node& node) {
    return std::max(blockedBytes(node, 0) + blockedBytes(node, 1), bytesOf(node, 2));
}

using Formula = std::int64_t (*)(const Node&);

/// Determined by watching the allocator during each operation.
const std::unordered_map<std::string_view, Formula>& cpuFormulas() {
    static const std::unordered_map<std::string_view, Formula> table = {
        {"aten.convolution", convolutionBytes},
        {"aten.convolution_backward", convolutionBackwardBytes},
        {"aten.native_batch_norm_backward", asMuchAsTheResult},
        {"aten.native_dropout", asMuchAsTheResult},
        {"aten.native_dropout_backward", asMuchAsTheResult},
        {"aten._safe_softmax", oneByteForEachElement},
    };
    return table;
}

}  // namespace

std::int64_t workspaceBytes(const Node& node) {
    if (node.kind() != NodeKind::call) return 0;
    const auto formula = cpuFormulas().find(packetOf(operationOf(node)));
    if (formula == cpuFormulas().end()) return 0;
    const TensorType* result = node.type.firstTensor();
    const Node* operand = tensorArgument(node, 0);
    const TensorType* type = result ? result : operand ? operand->type.tensor() : nullptr;
    return type && type->device.name.starts_with("cpu") ? formula->second(node) : 0;
}

}  // namespace aotscope
