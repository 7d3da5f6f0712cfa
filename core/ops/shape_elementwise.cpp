#include "ops/shape_rules.h"

#include <ATen/ops/addcmul.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/result_type.h>

namespace aotscope {

namespace {

/// Like the first argument: dense strides kept, others made dense in the same order.
std::vector<c10::IValue> likeFirst(const RuleCall& call) { return {at::empty_like(call.tensor(0))}; }

/// In place on the first argument.
std::vector<c10::IValue> inPlace(const RuleCall& call) { return {call.tensor(0)}; }

/// A ternary elementwise operation with the strides that the iterator gives to (condition, self, other).
std::vector<c10::IValue> where(const RuleCall& call) {
    const auto type = at::result_type(call.tensor(1), call.tensor(2));
    const auto as = [&](std::size_t i) { return call.tensor(i).to(type == at::kBool ? at::kByte : type); };
    return {at::addcmul(as(0), as(1), as(2)).to(type)};
}

/// input, p, train
std::vector<c10::IValue> dropout(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    if (input.numel() == 0) return {at::empty_like(input), at::empty_like(input)};
    return {at::empty_like(input), at::empty_like(input, input.options().dtype(at::kBool))};
}

/// grad_output, mask, scale
std::vector<c10::IValue> dropoutBackward(const RuleCall& call) { return {at::mul(call.tensor(0), call.tensor(1))}; }

}  // namespace

std::vector<ShapeRuleRow> elementwiseRules() {
    return {
        {"aten::relu", likeFirst},
        {"aten::relu_", inPlace},
        {"aten::where.self", where},
        {"aten::native_dropout", dropout},
        {"aten::native_dropout_backward", dropoutBackward},
    };
}

}  // namespace aotscope
