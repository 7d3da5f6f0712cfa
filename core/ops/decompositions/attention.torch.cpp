#include "ops/decompositions/decomposition_support.h"

#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/matmul.h>

#include <cmath>

namespace aotscope {

namespace {

using namespace rules;

std::tuple<Tensor, Tensor> flashAttentionForCpu(const Tensor& query, const Tensor& key, const Tensor& value,
                                                double dropout, bool causal, const MaybeTensor& mask,
                                                std::optional<double> scale) {
    auto [output, weights] = at::_scaled_dot_product_attention_math(query, key, value, mask, dropout, causal,
                                                                    /*dropout_mask=*/std::nullopt, scale,
                                                                    /*enable_gqa=*/query.size(1) != key.size(1));
    // The kernel's result is laid out as (length, batch, head, channel).
    return {output.permute({2, 0, 1, 3}).contiguous().permute({1, 2, 0, 3}), weights};
}

/// `t` of shape (batch, key heads, ...) with every head repeated for the query heads that share it.
Tensor forQueryHeads(const Tensor& t, std::int64_t queryHeads) {
    return t.size(1) == queryHeads ? t : t.repeat_interleave(queryHeads / t.size(1), 1);
}
/// The sum over query heads that share a key head.
Tensor overSharedHeads(const Tensor& t, std::int64_t heads) {
    if (t.size(1) == heads) return t;
    return t.view({t.size(0), heads, t.size(1) / heads, t.size(2), t.size(3)}).sum(2);
}

/// The forward above returns its weights where the kernel returns the logarithms of their sums, so the kernel's
/// backward must not be used with it (PyTorch's own core-aten graphs do so, with wrong gradients).
std::optional<std::tuple<Tensor, Tensor, Tensor>> backwardByWeights(const Tensor& grad, const Tensor& query,
                                                                    const Tensor& key, const Tensor& value,
                                                                    const Tensor& output, const Tensor& weights, double,
                                                                    bool, const MaybeTensor&,
                                                                    std::optional<double> scale) {
    if (weights.dim() != 4) return std::nullopt;
    const Opmath math({grad, query, key, value, output, weights});
    const std::int64_t heads = query.size(1);
    const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(3))));
    const Tensor g = math.up(grad), q = math.up(query), w = math.up(weights);
    const Tensor k = forQueryHeads(math.up(key), heads), v = forQueryHeads(math.up(value), heads);
    const Tensor ofWeights = at::matmul(g, v.transpose(-2, -1));
    const Tensor total = sumOver(times(g, math.up(output)), {-1}, /*keepdim=*/true);
    const Tensor ofScores = times(times(w, minus(ofWeights, total)), factor);
    const Tensor ofKey = at::matmul(ofScores.transpose(-2, -1), q), ofValue = at::matmul(w.transpose(-2, -1), g);
    // The kernel's results are laid out as (batch, length, head, channel): later views rely on that.
    const auto result = [&](const Tensor& t) { return math.down(t).transpose(1, 2).contiguous().transpose(1, 2); };
    return std::tuple(result(at::matmul(ofScores, k)), result(overSharedHeads(ofKey, key.size(1))),
                      result(overSharedHeads(ofValue, value.size(1))));
}

}  // namespace

std::vector<DecompositionRow> attentionDecompositions() {
    return {
        {"aten._scaled_dot_product_flash_attention_for_cpu.default", "attention_math", rule<flashAttentionForCpu>,
         kCoreAten},
        {"aten._scaled_dot_product_flash_attention_for_cpu_backward.default", "attention_backward_by_weights",
         rule<backwardByWeights>, kCoreAten},
    };
}

}  // namespace aotscope
