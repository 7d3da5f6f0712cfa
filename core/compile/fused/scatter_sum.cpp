#include "compile/fused/scatter_sum.h"

#include "compile/fused/expression.h"
#include "compile/fused/operands.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kMostPuts = 16;

/// A put that kernels support.
std::optional<IndexCall> putOf(const Node& node) {
    auto call = indexCallOf(node);
    if (!call || !call->values) return std::nullopt;
    const TensorType &base = *call->tensor->type.tensor(), &values = *call->values->type.tensor();
    const TensorType& result = *node.type.tensor();
    const bool isAlike =
        base.sameLayout(result) && values.dtype == result.dtype && values.device.name == result.device.name;
    if (!isAlike || !isKernelType(result.dtype) || call->direct.size() != values.sizes.size()) return std::nullopt;
    for (std::size_t d = 0; d < call->direct.size(); ++d)
        if (const int to = call->direct[d];
            to >= 0 && !(sizeOf(values, d) == sizeOf(base, static_cast<std::size_t>(to))))
            return std::nullopt;
    // Broadcast values are left to LibTorch.
    for (const IndexedDimension& indexed : call->indexed) {
        const TensorType& index = *indexed.index->type.tensor();
        const std::size_t end = call->direct.size() - call->trailing;
        for (std::size_t d = 0; d < index.sizes.size(); ++d)
            if (!isOne(sizeOf(index, d)) && !(sizeOf(index, d) == sizeOf(values, end - index.sizes.size() + d)))
                return std::nullopt;
    }
    return call;
}

bool sameSizes(const TensorType& a, const TensorType& b) {
    bool isSame = a.sizes.size() == b.sizes.size();
    for (std::size_t d = 0; isSame && d < a.sizes.size(); ++d) isSame = sizeOf(a, d) == sizeOf(b, d);
    return isSame;
}

bool isPlainSum(const Node& node) {
    return node.isCall("aten.add.Tensor") && node.args().size() == 2 && node.kwargs().empty() &&
           node.args()[0].node() && node.args()[1].node();
}

/// Collects puts from left to right. Integers aside, the sum is rounded in another order than LibTorch's.
bool collect(const Node& node, const Node& root, ScatterSum& sum) {
    if (&node != &root && node.users().size() != 1) return false;
    if (sum.absorbed.size() > 2 * kMostPuts) return false;
    if (&node != &root) sum.absorbed.push_back(&node);
    if (putOf(node)) {
        sum.puts.push_back(&node);
        return true;
    }
    return isPlainSum(node) && node.args()[0].node() != node.args()[1].node() &&
           collect(*node.args()[0].node(), root, sum) && collect(*node.args()[1].node(), root, sum);
}

}  // namespace

bool addsToZeros(const IndexCall& call) {
    const auto fill = fillOf(*seeThrough(*call.tensor).node);
    if (!fill) return false;
    const auto* real = std::get_if<double>(&fill->value);
    return (fill->integer() && *fill->integer() == 0) || (real && *real == 0);
}

std::optional<ScatterSum> scatterSumOf(const Node& root, bool several) {
    ScatterSum sum;
    if (root.kind() != NodeKind::call || !root.type.tensor()) return std::nullopt;
    if (!several && !putOf(root)) return std::nullopt;
    if (!collect(root, root, sum)) return std::nullopt;
    if (sum.puts.size() == 1) return sum;
    const IndexCall first = *putOf(*sum.puts.front());
    const auto isSame = [&](const Node* put) {
        const IndexCall call = *putOf(*put);
        const auto dimensionOf = [](const IndexedDimension& indexed) { return indexed.dimension; };
        return put->type.tensor()->sameLayout(*root.type.tensor()) &&
               put->type.tensor()->dtype == root.type.tensor()->dtype && call.direct == first.direct &&
               std::ranges::equal(call.indexed, first.indexed, {}, dimensionOf, dimensionOf) &&
               sameSizes(*call.values->type.tensor(), *first.values->type.tensor()) && addsToZeros(call);
    };
    return std::all_of(sum.puts.begin(), sum.puts.end(), isSame) ? std::optional(std::move(sum)) : std::nullopt;
}

}  // namespace aotscope
