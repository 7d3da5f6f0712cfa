#include "ops/shapes/rule_results.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/mul.h>

namespace aotscope {

namespace {

bool isReduced(const RuleCall& call, std::size_t argument) {
    return call.args[argument].toInt() != at::Reduction::None;
}

Results secondPreserved(const RuleCall& call) { return {preserved(call.tensor(1))}; }

/// input, target, weight, reduction
Results binaryCrossEntropy(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), target = call.tensor(1);
    TORCH_CHECK(input.sizes() == target.sizes(), "binary_cross_entropy: target of size ", target.sizes(),
                " is different to the input size ", input.sizes());
    return {isReduced(call, 3) ? contiguous({}, input) : preserved(input)};
}

/// input, target, weight, pos_weight, reduction: the losses are allocated like the target.
Results binaryCrossEntropyWithLogits(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), target = call.tensor(1);
    TORCH_CHECK(input.sizes() == target.sizes(), "Target size (", target.sizes(), ") must be the same as input size (",
                input.sizes(), ")");
    return {isReduced(call, 4) ? contiguous({}, target) : preserved(target)};
}

/// input, target, reduction, delta
Results huberLoss(const RuleCall& call) {
    const at::Tensor each = at::mul(call.tensor(0), call.tensor(1));
    return {isReduced(call, 2) ? contiguous({}, each) : each};
}

/// Values, and what the backward needs, which is empty outside the CPU.
Results logSigmoid(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    if (!call.device.is_cpu()) return {preserved(input), contiguous({0}, input)};
    return {contiguous(input.sizes(), input), contiguous(input.sizes(), input)};
}

void checkNllLoss2d(const at::Tensor& input, const at::Tensor& target) {
    TORCH_CHECK(input.dim() == 4, "nll_loss2d: only batches of spatial inputs supported (4D tensors), found ",
                input.sizes());
    TORCH_CHECK(target.dim() == 3, "nll_loss2d: only batches of spatial targets supported (3D tensors), found ",
                target.sizes());
    TORCH_CHECK(input.size(0) == target.size(0) && input.size(2) == target.size(1) && input.size(3) == target.size(2),
                "nll_loss2d: size mismatch (got input: ", input.sizes(), ", target: ", target.sizes(), ")");
}

/// input, target, weight, reduction, ignore_index: loss, total weight
Results nllLoss2d(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), target = call.tensor(1);
    checkNllLoss2d(input, target);
    return {isReduced(call, 3) ? contiguous({}, input) : contiguous(target.sizes(), input), contiguous({}, input)};
}

/// grad_output, input, target, ...
Results nllLoss2dBackward(const RuleCall& call) {
    checkNllLoss2d(call.tensor(1), call.tensor(2));
    return secondContiguousRule(call);
}

/// One loss per row of a matrix, one for a vector.
at::Tensor lossOfRows(const at::Tensor& input, bool reduced) {
    TORCH_CHECK(input.dim() <= 2, "expected a vector or a matrix with optional 0-dim batch size, found ",
                input.sizes());
    return reduced || input.dim() < 2 ? contiguous({}, input) : contiguous({input.size(0)}, input);
}

/// input, target, p, margin, weight, reduction
Results multiMarginLoss(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const int64_t rows = input.dim() < 2 ? 1 : input.size(0);
    TORCH_CHECK(call.tensor(1).dim() <= 1 && call.tensor(1).numel() == rows,
                "multi_margin_loss: inconsistent target size, expected ", rows, " but got ", call.tensor(1).sizes());
    const bool reduced = isReduced(call, 5) || call.tensor(1).dim() == 0;
    return {reduced ? contiguous({}, input) : contiguous({rows}, input)};
}

/// input, target, reduction: loss, mask of the targets
Results multilabelMarginLoss(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), target = call.tensor(1);
    TORCH_CHECK(input.numel() == target.numel(), "multilabel_margin_loss: inconsistent target size ", target.sizes(),
                " for input of size ", input.sizes());
    return {lossOfRows(input, isReduced(call, 2)), contiguous(target.sizes(), input)};
}

/// grad_output, input, dim
Results gluBackward(const RuleCall& call) { return secondContiguousRule(call); }

/// log_probs, targets, input_lengths, target_lengths, ...: loss of each sequence, log probabilities of its states
Results ctcLoss(const RuleCall& call) {
    const at::Tensor probabilities = call.tensor(0);
    TORCH_CHECK(probabilities.dim() == 3, "ctc_loss: expected log_probs of 3 dimensions (T, N, C), found ",
                probabilities.sizes());
    const auto targets = call.args[3].toIntVector();
    const int64_t longest = targets.empty() ? 0 : *std::max_element(targets.begin(), targets.end());
    const int64_t batch = probabilities.size(1);
    return {contiguous({batch}, probabilities),
            contiguous({batch, probabilities.size(0), 2 * longest + 1}, probabilities)};
}

}  // namespace

std::vector<ShapeRuleRow> lossRules() {
    return {
        {"aten::binary_cross_entropy", binaryCrossEntropy},
        {"aten::binary_cross_entropy_backward", secondPreserved},
        {"aten::binary_cross_entropy_with_logits", binaryCrossEntropyWithLogits},
        {"aten::huber_loss", huberLoss},
        {"aten::huber_loss_backward", secondContiguousRule},
        {"aten::mse_loss_backward", secondContiguousRule},
        {"aten::smooth_l1_loss_backward", secondContiguousRule},
        {"aten::log_sigmoid_forward", logSigmoid},
        {"aten::nll_loss2d_forward", nllLoss2d},
        {"aten::nll_loss2d_backward", nllLoss2dBackward},
        {"aten::multi_margin_loss", multiMarginLoss},
        {"aten::multi_margin_loss_backward", secondContiguousRule},
        {"aten::multilabel_margin_loss_forward", multilabelMarginLoss},
        {"aten::multilabel_margin_loss_backward", secondContiguousRule},
        {"aten::glu_backward", gluBackward},
        {"aten::_ctc_loss", ctcLoss},
        {"aten::_ctc_loss_backward", secondContiguousRule},
        {"aten::_ctc_loss_backward.Tensor", secondContiguousRule},
    };
}

}  // namespace aotscope
