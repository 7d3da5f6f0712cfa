#include "cost/node_cost.h"

#include "cost/flops.h"
#include "ops/collectives.h"
#include "ops/op_table.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace aotscope {

namespace {

using Names = std::unordered_set<std::string_view>;

const Names& transcendentals() {
    static const Names names = {
        "cos",          "elu",
        "elu_backward", "exp",
        "exp2",         "expm1",
        "log",          "log10",
        "log1p",        "log2",
        "logit",        "sigmoid",
        "silu",         "silu_backward",
        "sin",          "softplus",
        "xlogy",        "_softmax",
        "_log_softmax", "_log_softmax_backward_data",
        "logsumexp",    "softplus_backward",
    };
    return names;
}

const Names& heavyFunctions() {
    static const Names names = {
        "acos",    "acosh",         "asin", "asinh",  "atan", "atan2",         "atanh",         "cosh",
        "digamma", "erf",           "erfc", "erfinv", "gelu", "gelu_backward", "lgamma",        "logaddexp",
        "mish",    "mish_backward", "pow",  "sinh",   "tan",  "tanh",          "_safe_softmax",
    };
    return names;
}

/// Operations that read as many elements of their first operand as they return.
const Names& gathering() {
    static const Names names = {"embedding", "gather",        "index",          "index_select",
                                "take",      "slice_scatter", "select_scatter", "_unsafe_index"};
    return names;
}

/// Counts each element once: an expanded dimension repeats them.
std::int64_t distinctBytes(const TensorType& type) {
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < type.sizes.size(); ++i)
        if (i >= type.strides.size() || type.strides[i] != 0 || type.sizes[i] == 0) elements *= type.sizes[i];
    return elements * static_cast<std::int64_t>(itemSize(type.dtype));
}

/// Whether the elements are contiguous in some order of the dimensions.
bool isDense(const TensorType& type) {
    std::vector<std::pair<std::int64_t, std::int64_t>> dimensions;
    for (std::size_t i = 0; i < type.sizes.size() && i < type.strides.size(); ++i)
        if (type.sizes[i] > 1) dimensions.emplace_back(type.strides[i], type.sizes[i]);
    std::sort(dimensions.begin(), dimensions.end());
    std::int64_t expected = 1;
    for (const auto& [stride, size] : dimensions) {
        if (stride != expected) return false;
        expected *= size;
    }
    return true;
}

template <typename Visit>
void forEachTensor(const ValueType& type, Visit&& visit) {
    if (const auto* tensor = type.tensor()) visit(*tensor);
    if (const auto* tuple = type.tuple())
        for (const ValueType& element : *tuple) forEachTensor(element, visit);
}

std::int64_t resultElements(const Node& node) {
    std::int64_t elements = 0;
    forEachTensor(node.type, [&](const TensorType& type) { elements = std::max(elements, type.numel()); });
    return elements;
}

bool sharesMemory(const Node& node) {
    const auto* type = node.type.tensor();
    if (!type) return false;
    for (const Node* input : node.inputs())
        if (const auto* other = input->type.tensor(); other && type->storage >= 0 && other->storage == type->storage)
            return !isMutating(node.op());
    return hasTag(node, kView) && type->storage < 0;
}

/// Whether it reads in one order what it writes in another: their innermost dimensions differ.
bool isStrided(const Node& node) {
    const auto* result = node.type.tensor();
    if (!result) return false;
    for (const Node* input : node.inputs()) {
        const auto* type = input->type.tensor();
        if (!type || type->sizes != result->sizes || type->strides.size() != result->strides.size()) continue;
        if (distinctBytes(*type) < type->bytes()) continue;  // repeated elements stay in a cache
        if (type->strides != result->strides && type->numel() > 1 && isDense(*type) != isDense(*result)) return true;
        for (std::size_t i = 0; i < type->sizes.size(); ++i)
            if (type->sizes[i] > 1 && (type->strides[i] == 1) != (result->strides[i] == 1) && type->strides[i] != 0)
                return true;
    }
    return false;
}

bool isPooling(const Node& node) { return shortOpName(node.op()).find("_pool") != std::string_view::npos; }

/// Whether a large operand and the result have different element types.
bool converts(const Node& node) {
    const auto* result = node.type.tensor();
    if (!result) return false;
    return std::any_of(node.inputs().begin(), node.inputs().end(), [&](const Node* input) {
        const auto* type = input->type.tensor();
        return type && type->dtype != result->dtype && type->numel() == result->numel();
    });
}

WorkKind workKindOf(const Node& node) {
    const OpFamily family = opFamily(node.op());
    const auto name = shortOpName(node.op());
    if (family == OpFamily::matmul) return name.find("bmm") == name.npos ? WorkKind::matrix : WorkKind::batchedMatrix;
    if (family == OpFamily::convolution) return WorkKind::convolution;
    if (family == OpFamily::attention) return WorkKind::attention;
    if (opTags(node.op()) & kRandom) return WorkKind::random;
    if (isPooling(node)) return WorkKind::window;
    if (transcendentals().contains(name)) return WorkKind::transcendental;
    if (heavyFunctions().contains(name)) return WorkKind::heavyFunction;
    if (name.find("batch_norm") != name.npos) return WorkKind::batchNorm;
    if (family == OpFamily::reduction || family == OpFamily::normalization) return WorkKind::reduction;
    return converts(node) && family != OpFamily::indexing ? WorkKind::conversion : WorkKind::memory;
}

/// Positions of the window per result element: the product of the sizes given to the operation.
std::int64_t windowSize(const Node& node) {
    const bool backward = shortOpName(node.op()).find("_backward") != std::string_view::npos;
    const std::size_t position = backward ? 2 : 1;
    const auto* sizes = position < node.args().size() ? node.args()[position].list() : nullptr;
    std::int64_t size = 1;
    if (shortOpName(node.op()).find("adaptive") != std::string_view::npos || backward || !sizes) return size;
    for (const Argument& argument : *sizes)
        if (const auto* number = argument.integer()) size *= *number;
    return size;
}

/// How often a composite operation passes over its elements.
std::int64_t passes(const Node& node) { return shortOpName(node.op()) == "_safe_softmax" ? 2 : 1; }

std::int64_t elementsOf(const Node& node, WorkKind kind) {
    std::int64_t elements = resultElements(node);
    if (kind == WorkKind::window) return elements * windowSize(node);
    if (kind == WorkKind::reduction || kind == WorkKind::batchNorm)
        for (const Node* input : node.inputs())
            forEachTensor(input->type, [&](const TensorType& type) { elements = std::max(elements, type.numel()); });
    return elements * passes(node);
}

std::int64_t operandBytes(const Node& node, std::int64_t written) {
    const bool gathers = gathering().contains(shortOpName(node.op()));
    std::int64_t bytes = 0;
    bool first = true;
    for (const Node* input : node.inputs()) {
        forEachTensor(input->type, [&](const TensorType& type) {
            const std::int64_t own = distinctBytes(type);
            bytes += gathers && first ? std::min(own, written) : own;
        });
        first = false;
    }
    return bytes;
}

}  // namespace

bool isFree(const Node& node) {
    return node.kind() != NodeKind::call || isGetitem(node) || sharesMemory(node) || communicates(node.op());
}

NodeCost costOf(const Node& node) {
    NodeCost cost;
    if (isFree(node) || (!node.type.tensor() && !node.type.tuple())) return cost;
    cost.kind = workKindOf(node);
    cost.flops = arithmeticOperations(node);
    cost.bytesWritten = node.type.tensorBytes();
    cost.bytesRead = operandBytes(node, cost.bytesWritten);
    cost.elements = elementsOf(node, cost.kind);
    cost.strided = cost.kind == WorkKind::memory && isStrided(node);
    return cost;
}

}  // namespace aotscope
