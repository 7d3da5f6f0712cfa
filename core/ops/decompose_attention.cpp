#include "ops/decomposition_support.h"

#include <ATen/ops/_scaled_dot_product_attention_math.h>

namespace aotscope {

namespace {

using namespace rules;

std::tuple<Tensor, Tensor> flashAttentionForCpu(const Tensor& query, const Tensor& key, const Tensor& value,
                                                double dropout, bool causal, const MaybeTensor& mask,
                                                std::optional<double> scale) {
    auto [output, weights] = at::_scaled_dot_product_attention_math(query, key, value, mask, dropout, causal,
                                                                    /*dropout_mask=*/std::nullopt, scale,
                                                                    /*enable_gqa=*/query.size(1) != key.size(1));
    // In memory the kernel's result is ordered (length, batch, head, channel).
    return {output.permute({2, 0, 1, 3}).contiguous().permute({1, 2, 0, 3}), weights};
}

}  // namespace

std::vector<DecompositionRow> attentionDecompositions() {
    return {
        {"aten._scaled_dot_product_flash_attention_for_cpu.default", "attention_math", rule<flashAttentionForCpu>,
         kCoreAten},
    };
}

}  // namespace aotscope
