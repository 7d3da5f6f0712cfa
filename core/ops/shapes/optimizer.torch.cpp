// Optimizer steps that update lists of tensors at once.

#include "ops/shapes/rule_results.h"

namespace aotscope {

namespace {

c10::List<at::Tensor> copies(const c10::IValue& list) {
    c10::List<at::Tensor> tensors;
    for (const at::Tensor& t : list.toTensorVector()) tensors.push_back(preserved(t));
    return tensors;
}

/// The functional form of a step returns the lists that it mutates, which are its first arguments.
template <std::size_t lists>
Results updated(const RuleCall& call) {
    Results results;
    for (std::size_t i = 0; i < lists; ++i) results.emplace_back(copies(call.args[i]));
    return results;
}

/// gradients, found_inf, inv_scale
Results unscaled(const RuleCall& call) { return {copies(call.args[0]), preserved(call.tensor(1))}; }

}  // namespace

std::vector<ShapeRuleRow> optimizerRules() {
    return {
        {"aten::_amp_foreach_non_finite_check_and_unscale", unscaled},
        {"aten::_amp_foreach_non_finite_check_and_unscale_", nothingRule},
        {"aten::_fused_adagrad", updated<4>},
        {"aten::_fused_adagrad.tensor_lr", updated<3>},
        {"aten::_fused_adagrad_", nothingRule},
        {"aten::_fused_adagrad_.tensor_lr", nothingRule},
        {"aten::_fused_adam", updated<5>},
        {"aten::_fused_adam.tensor_lr", updated<5>},
        {"aten::_fused_adam_", nothingRule},
        {"aten::_fused_adam_.tensor_lr", nothingRule},
        {"aten::_fused_adamw", updated<5>},
        {"aten::_fused_adamw.tensor_lr", updated<5>},
        {"aten::_fused_adamw_", nothingRule},
        {"aten::_fused_adamw_.tensor_lr", nothingRule},
        {"aten::_fused_sgd", updated<3>},
        {"aten::_fused_sgd.tensor_lr", updated<3>},
        {"aten::_fused_sgd_", nothingRule},
        {"aten::_fused_sgd_.tensor_lr", nothingRule},
    };
}

}  // namespace aotscope
