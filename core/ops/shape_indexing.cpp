#include "ops/shape_rules.h"

#include <ATen/ops/empty.h>

namespace aotscope {

namespace {

/// weight, indices, ...
std::vector<c10::IValue> embedding(const RuleCall& call) {
    const at::Tensor weight = call.tensor(0), indices = call.tensor(1);
    TORCH_CHECK(weight.dim() == 2, "embedding: expected a weight of 2 dimensions, found sizes ", weight.sizes());
    TORCH_CHECK(indices.scalar_type() == at::kLong || indices.scalar_type() == at::kInt,
                "embedding: expected indices of dtype int64 or int32, found ", indices.scalar_type());
    std::vector<int64_t> sizes = indices.sizes().vec();
    sizes.push_back(weight.size(1));
    return {at::empty(sizes, weight.options())};
}

/// grad_output, indices, num_weights, ...
std::vector<c10::IValue> embeddingBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0);
    return {at::empty({call.args[2].toInt(), grad.size(-1)}, grad.options())};
}

}  // namespace

std::vector<ShapeRuleRow> indexingRules() {
    return {
        {"aten::embedding", embedding},
        {"aten::embedding_dense_backward", embeddingBackward},
    };
}

}  // namespace aotscope
