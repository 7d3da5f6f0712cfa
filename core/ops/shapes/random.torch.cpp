#include "ops/shapes/rule_results.h"

#include <ATen/ops/addcmul.h>
#include <ATen/ops/mul.h>

namespace aotscope {

namespace {

/// Elementwise kernels that allocate like their first argument, and resize if the others are larger.
Results likeFirstUnlessBroadcast(const at::Tensor& first, const at::Tensor& broadcast) {
    return {first.sizes() == broadcast.sizes() ? contiguous(first.sizes(), first) : broadcast};
}
Results binaryLikeFirst(const RuleCall& call) {
    return likeFirstUnlessBroadcast(call.tensor(0), at::mul(call.tensor(0), call.tensor(1)));
}
Results dirichletGradient(const RuleCall& call) {
    return likeFirstUnlessBroadcast(call.tensor(0), at::addcmul(call.tensor(0), call.tensor(1), call.tensor(2)));
}

/// weights, num_samples, replacement
Results multinomial(const RuleCall& call) {
    const at::Tensor weights = call.tensor(0);
    const int64_t samples = call.args[1].toInt();
    TORCH_CHECK(weights.dim() == 1 || weights.dim() == 2, "prob_dist must be 1 or 2 dim, found sizes ",
                weights.sizes());
    TORCH_CHECK(samples > 0, "cannot sample n_sample <= 0 samples");
    TORCH_CHECK(call.args[2].toBool() || samples <= weights.size(-1),
                "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
    return {weights.dim() == 1 ? contiguous({samples}, weights, at::kLong)
                               : contiguous({weights.size(0), samples}, weights, at::kLong)};
}

}  // namespace

std::vector<ShapeRuleRow> randomRules() {
    return {
        {"aten::multinomial", multinomial},
        {"aten::poisson", contiguousRule},
        {"aten::binomial", binaryLikeFirst},
        {"aten::_standard_gamma", contiguousRule},
        {"aten::_standard_gamma_grad", binaryLikeFirst},
        {"aten::_sample_dirichlet", contiguousRule},
        {"aten::_dirichlet_grad", dirichletGradient},
    };
}

}  // namespace aotscope
