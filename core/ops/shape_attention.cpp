#include "ops/rule_results.h"
#include "trace/fake_tensor.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

namespace aotscope {

namespace {

/// A tensor of sizes (B, H, S, D) that lies in memory as (B, S, H, D): how CPU flash attention answers.
at::Tensor sequenceMajor(c10::IntArrayRef sizes, const at::Tensor& like) {
    return at::empty({sizes[0], sizes[2], sizes[1], sizes[3]}, like.options()).transpose(1, 2);
}

/// query, key, value, dropout_p, is_causal, ... The output lies in memory as the query does.
std::vector<c10::IValue> flashForCpu(const RuleCall& call) {
    const at::Tensor query = call.tensor(0), value = call.tensor(2);
    TORCH_CHECK(query.dim() == 4 && call.tensor(1).dim() == 4 && value.dim() == 4,
                "scaled_dot_product_attention: expected query, key and value of 4 dimensions, found sizes ",
                query.sizes(), ", ", call.tensor(1).sizes(), " and ", value.sizes());
    const int64_t batch = query.size(0), heads = query.size(1), length = query.size(2);
    const auto type = query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return {value.size(3) == query.size(3) ? at::empty_like(query)
                                           : sequenceMajor({batch, heads, length, value.size(3)}, query),
            at::empty({batch, length, heads}, query.options().dtype(type)).transpose(1, 2)};
}

/// grad_out, query, key, value, out, logsumexp, ... Always sequence-major, however the inputs lie.
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

/// src, ...: the fused encoder layer of torch.nn.TransformerEncoderLayer in evaluation
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
    const at::Tensor all =
        contiguous({3, qkv.size(0), heads, qkv.size(1), qkv.size(2) / (3 * heads)}, qkv);
    return {all.select(0, 0), all.select(0, 1), all.select(0, 2)};
}

}  // namespace

std::vector<ShapeRuleRow> attentionRules() {
    return {
        {"aten::_scaled_dot_product_flash_attention_for_cpu", flashForCpu},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", flashForCpuBackward},
        {"aten::_safe_softmax", safeSoftmax},
        {"aten::_transformer_encoder_layer_fwd", encoderLayer},
        {"aten::_native_multi_head_attention", multiHeadAttention},
        {"aten::_transform_bias_rescale_qkv", splitHeads},
    };
}

}  // namespace aotscope
