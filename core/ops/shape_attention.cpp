#include "ops/shape_rules.h"
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

}  // namespace

std::vector<ShapeRuleRow> attentionRules() {
    return {
        {"aten::_scaled_dot_product_flash_attention_for_cpu", flashForCpu},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", flashForCpuBackward},
        {"aten::_safe_softmax", safeSoftmax},
    };
}

}  // namespace aotscope
