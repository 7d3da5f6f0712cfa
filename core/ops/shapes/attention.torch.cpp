#include "ops/shapes/rule_results.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

namespace aotscope {

namespace {

/// A tensor of sizes (B, H, S, D) with the layout (B, S, H, D), like results of CPU flash attention.
at::Tensor sequenceMajor(c10::IntArrayRef sizes, const at::Tensor& like) {
    return at::empty({sizes[0], sizes[2], sizes[1], sizes[3]}, like.options()).transpose(1, 2);
}

void requireFourDimensions(const RuleCall& call) {
    for (std::size_t i = 0; i < 3; ++i)
        TORCH_CHECK(call.tensor(i).dim() == 4,
                    "scaled_dot_product_attention: expected query, key and value of 4 dimensions, found sizes ",
                    call.tensor(i).sizes());
}

/// query, key, value, dropout_p, is_causal, ... The output has the layout of the query.
std::vector<c10::IValue> flashForCpu(const RuleCall& call) {
    const at::Tensor query = call.tensor(0), value = call.tensor(2);
    requireFourDimensions(call);
    const int64_t batch = query.size(0), heads = query.size(1), length = query.size(2);
    const auto type = query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return {value.size(3) == query.size(3) ? at::empty_like(query)
                                           : sequenceMajor({batch, heads, length, value.size(3)}, query),
            at::empty({batch, length, heads}, query.options().dtype(type)).transpose(1, 2)};
}

/// grad_out, query, key, value, out, logsumexp, ... Always sequence-major, whatever the layout of the inputs.
std::vector<c10::IValue> flashForCpuBackward(const RuleCall& call) {
    std::vector<c10::IValue> results;
    for (std::size_t i = 1; i <= 3; ++i) results.emplace_back(sequenceMajor(call.tensor(i).sizes(), call.tensor(i)));
    return results;
}

std::vector<c10::IValue> safeSoftmax(const RuleCall& call) {
    const auto options = call.tensor(0).options();
    const auto type = call.args[2].isNone() ? call.tensor(0).scalar_type() : call.args[2].toScalarType();
    return {at::empty(call.tensor(0).sizes(), options.dtype(type))};
}

// CUDA kernels.

/// query, key, value, dropout_p, ...: output, logsumexp, two unused, both lengths, RNG state, unused, debug mask
Results flashForCuda(const RuleCall& call) {
    const at::Tensor query = call.tensor(0), key = call.tensor(1);
    requireFourDimensions(call);
    return {preserved(query),
            contiguous(query.sizes().slice(0, 3), query, at::kFloat),
            at::Tensor(),
            at::Tensor(),
            query.size(2),
            key.size(2),
            contiguous({2}, query, at::kUInt64),
            contiguous({}, query, at::kUInt64),
            contiguous({0}, query)};
}

/// grad_out, query, key, value, ...
Results preservedGradients(const RuleCall& call) {
    return {preserved(call.tensor(1)), preserved(call.tensor(2)), preserved(call.tensor(3))};
}

/// query, key, value, attn_bias, compute_log_sumexp, ...: output, logsumexp (rows padded to 32), seed, offset
Results efficientForCuda(const RuleCall& call) {
    const at::Tensor query = call.tensor(0);
    requireFourDimensions(call);
    const int64_t batch = query.size(0), heads = query.size(1), length = query.size(2);
    return {sequenceMajor({batch, heads, length, call.tensor(2).size(3)}, query),
            contiguous({batch, heads, call.args[4].toBool() ? (length + 31) / 32 * 32 : 0}, query, at::kFloat),
            contiguous({}, query, at::kLong), contiguous({}, query, at::kLong)};
}

/// grad_out, query, key, value, attn_bias, ..., [10] mask. The bias' rows are rounded up to multiples of 16.
Results efficientForCudaBackward(const RuleCall& call) {
    Results results;
    for (std::size_t i = 1; i <= 3; ++i) results.emplace_back(sequenceMajor(call.tensor(i).sizes(), call.tensor(i)));
    at::Tensor bias;
    if (call.has(4) && call.args[10].toBoolList()[3]) {
        std::vector<int64_t> sizes = call.tensor(4).sizes().vec();
        const int64_t length = sizes.back();
        sizes.back() = (length + 15) / 16 * 16;
        bias = contiguous(sizes, call.tensor(4)).narrow(-1, 0, length);
    }
    results.emplace_back(bias);
    return results;
}

/// query, key, value, ...: the output's dimensions have the memory order of the query's.
Results cudnnAttention(const RuleCall& call) {
    const at::Tensor query = call.tensor(0), value = call.tensor(2);
    requireFourDimensions(call);
    std::vector<int64_t> order = {0, 1, 2, 3}, sizes, back(4);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return query.stride(a) > query.stride(b); });
    for (std::size_t i = 0; i < 4; ++i) {
        sizes.push_back(order[i] == 3 ? value.size(3) : query.size(order[i]));
        back[static_cast<std::size_t>(order[i])] = static_cast<int64_t>(i);
    }
    return {value.size(3) == query.size(3) ? preserved(query) : contiguous(sizes, query).permute(back),
            contiguous({query.size(0), query.size(1), query.size(2), 1}, query, at::kFloat),
            at::Tensor(),
            at::Tensor(),
            query.size(2),
            call.tensor(1).size(2),
            contiguous({}, query, at::kLong),
            contiguous({}, query, at::kLong),
            at::Tensor()};
}

/// src, ...: the fused encoder layer of torch.nn.TransformerEncoderLayer in eval mode
Results encoderLayer(const RuleCall& call) {
    TORCH_CHECK(call.tensor(0).dim() == 3, "_transformer_encoder_layer_fwd: expected a batch of sequences, found ",
                call.tensor(0).sizes());
    return contiguousRule(call);
}

/// query, key, value, embed_dim, num_head, ..., [9] mask, need_weights, average_attn_weights, ...
Results multiHeadAttention(const RuleCall& call) {
    const at::Tensor query = call.tensor(0), key = call.tensor(1);
    TORCH_CHECK(query.dim() == 3 && key.dim() == 3, "_native_multi_head_attention: expected 3-D query and key, got ",
                query.sizes(), " and ", key.sizes());
    const int64_t batch = query.size(0), length = query.size(1), keys = key.size(1);
    at::Tensor weights;
    if (call.args[10].toBool())
        weights = call.args[11].toBool() ? contiguous({batch, length, keys}, query)
                                         : contiguous({batch, call.args[4].toInt(), length, keys}, query);
    return {contiguous({batch, length, call.args[3].toInt()}, query), weights};
}

/// qkv, bias, num_heads: three parts of one tensor
Results splitHeads(const RuleCall& call) {
    const at::Tensor qkv = call.tensor(0);
    const int64_t heads = call.args[2].toInt();
    TORCH_CHECK(qkv.dim() == 3 && qkv.size(2) % (3 * heads) == 0,
                "_transform_bias_rescale_qkv: expected sizes (B, T, 3 * heads * D), found ", qkv.sizes());
    const at::Tensor all = contiguous({3, qkv.size(0), heads, qkv.size(1), qkv.size(2) / (3 * heads)}, qkv);
    return {all.select(0, 0), all.select(0, 1), all.select(0, 2)};
}

}  // namespace

std::vector<ShapeRuleRow> attentionRules() {
    return {
        {"aten::_scaled_dot_product_flash_attention_for_cpu", flashForCpu},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", flashForCpuBackward},
        {"aten::_scaled_dot_product_flash_attention", flashForCuda},
        {"aten::_scaled_dot_product_flash_attention_backward", preservedGradients},
        {"aten::_scaled_dot_product_efficient_attention", efficientForCuda},
        {"aten::_scaled_dot_product_efficient_attention_backward", efficientForCudaBackward},
        {"aten::_scaled_dot_product_cudnn_attention", cudnnAttention},
        {"aten::_scaled_dot_product_cudnn_attention_backward", preservedGradients},
        {"aten::_safe_softmax", safeSoftmax},
        {"aten::_transformer_encoder_layer_fwd", encoderLayer},
        {"aten::_native_multi_head_attention", multiHeadAttention},
        {"aten::_transform_bias_rescale_qkv", splitHeads},
    };
}

}  // namespace aotscope
