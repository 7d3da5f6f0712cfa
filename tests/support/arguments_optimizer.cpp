#include "support/rule_arguments.h"

namespace aotscope::test {

namespace {

/// Lists of as many tensors of the same sizes; steps have one element each.
c10::IValue listOf(Random& r, int64_t count, const Sizes& sizes) {
    c10::List<at::Tensor> tensors;
    for (int64_t i = 0; i < count; ++i) tensors.push_back(r.plain(sizes, at::kFloat));
    return tensors;
}
Values unscale(Random& r) {
    return {listOf(r, r.number(1, 3), r.sizes(2, 1, 4)), r.plain({1}, at::kFloat), r.plain({1}, at::kFloat)};
}
/// Parameters, `states` lists of the same sizes, steps, and options of which the learning rate may be a tensor.
Values optimizer(Random& r, int states, bool steps, std::size_t rate, bool tensorRate, Values options) {
    const int64_t count = r.number(1, 3);
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 3)), 1, 4);
    Values arguments;
    for (int i = 0; i < states; ++i) arguments.push_back(listOf(r, count, sizes));
    if (steps) arguments.push_back(listOf(r, count, {}));
    options[rate] = tensorRate ? c10::IValue(r.plain({}, at::kFloat)) : c10::IValue(0.1);
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.resize(arguments.size() + 2);  // neither grad_scale nor found_inf
    return arguments;
}
template <bool tensorRate>
Values adagrad(Random& r) {
    return optimizer(r, 3, true, 0, tensorRate, {{}, 0.0, 0.01, 1e-8, r.coin()});
}
template <bool tensorRate>
Values adam(Random& r) {
    return optimizer(r, 5, true, 0, tensorRate, {{}, 0.9, 0.99, 0.01, 1e-8, r.coin(), r.coin()});
}
template <bool tensorRate>
Values sgd(Random& r) {
    return optimizer(r, 3, false, 2, tensorRate, {0.01, 0.9, {}, 0.0, r.coin(), r.coin(), r.coin()});
}

}  // namespace

Generators optimizerGenerators() {
    return {
        {"aten::_amp_foreach_non_finite_check_and_unscale", {unscale}},
        {"aten::_amp_foreach_non_finite_check_and_unscale_", {unscale}},
        {"aten::_fused_adagrad", {adagrad<false>}},
        {"aten::_fused_adagrad.tensor_lr", {adagrad<true>}},
        {"aten::_fused_adagrad_", {adagrad<false>}},
        {"aten::_fused_adagrad_.tensor_lr", {adagrad<true>}},
        {"aten::_fused_adam", {adam<false>}},
        {"aten::_fused_adam.tensor_lr", {adam<true>}},
        {"aten::_fused_adam_", {adam<false>}},
        {"aten::_fused_adam_.tensor_lr", {adam<true>}},
        {"aten::_fused_adamw", {adam<false>}},
        {"aten::_fused_adamw.tensor_lr", {adam<true>}},
        {"aten::_fused_adamw_", {adam<false>}},
        {"aten::_fused_adamw_.tensor_lr", {adam<true>}},
        {"aten::_fused_sgd", {sgd<false>}},
        {"aten::_fused_sgd.tensor_lr", {sgd<true>}},
        {"aten::_fused_sgd_", {sgd<false>}},
        {"aten::_fused_sgd_.tensor_lr", {sgd<true>}},
    };
}

}  // namespace aotscope::test
