#include "support/outcomes.h"
#include "support/rule_arguments.h"

#include <ATen/ops/tensor.h>

namespace aotscope::test {

namespace {

int64_t reduction(Random& r) { return r.number(0, 2); }

at::Tensor likeShape(Random& r, const at::Tensor& t) { return r.tensor(t.sizes().vec(), t.scalar_type()); }

Values binaryCrossEntropy(Random& r) {
    const at::Tensor input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 1, 4), r.floating());
    return {input, likeShape(r, input), r.maybe(likeShape(r, input)), reduction(r)};
}
Values binaryCrossEntropyBackward(Random& r) {
    Values a = binaryCrossEntropy(r);
    a.insert(a.begin(), call("aten::binary_cross_entropy", a)[0]);
    return a;
}

/// grad_output, input, target, reduction
Values elementLossBackward(Random& r) {
    const at::Tensor input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4), r.floating());
    const int64_t how = reduction(r);
    return {how == 0 ? likeShape(r, input) : r.plain({}, input.scalar_type()), input, likeShape(r, input), how};
}
Values elementLossBackwardWithNumber(Random& r) {
    Values a = elementLossBackward(r);
    a.emplace_back(1.0);
    return a;
}
Values huberLoss(Random& r) {
    const at::Tensor input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 1, 4), r.floating());
    return {input, likeShape(r, input), reduction(r), 1.0};
}

Values nllLoss2d(Random& r) {
    const Sizes s = r.sizes(4, 1, 4);
    const auto type = r.oneOf({at::kFloat, at::kDouble, at::kBFloat16});
    return {r.tensor(s, type), r.tensor({s[0], s[2], s[3]}, at::kLong), r.maybe(r.plain({s[1]}, type)), reduction(r),
            int64_t{-100}};
}
Values nllLoss2dBackward(Random& r) {
    Values a = nllLoss2d(r);
    a[0] = a[0].toTensor().contiguous();
    const Values forward = call("aten::nll_loss2d_forward", a);
    a.insert(a.begin(), forward[0]);
    a.push_back(forward[1]);
    return a;
}

Values nllLossBackward(Random& r) {
    const Sizes sizes = r.sizes(2, 1, 4);
    const auto type = r.oneOf({at::kFloat, at::kDouble, at::kBFloat16});
    const int64_t how = reduction(r);
    return {r.plain(how == 0 ? Sizes{sizes[0]} : Sizes{}, type),
            r.tensor(sizes, type),
            r.plain({sizes[0]}, at::kLong),
            r.maybe(r.plain({sizes[1]}, type)),
            how,
            int64_t{-100},
            r.plain({}, type)};
}

/// A vector or a matrix of scores with a class for each row.
Values multiMarginLoss(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 2)), 1, 4);
    const Sizes target = sizes.size() == 2 ? Sizes{sizes[0]} : r.coin() ? Sizes{} : Sizes{1};
    return {r.tensor(sizes, type), r.plain(target, at::kLong), int64_t{1}, 1.0, r.maybe(r.plain({sizes.back()}, type)),
            reduction(r)};
}
Values multiMarginLossBackward(Random& r) {
    Values a = multiMarginLoss(r);
    a.insert(a.begin(), call("aten::multi_margin_loss", a)[0]);
    return a;
}
Values multilabelMarginLoss(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 2)), 1, 4);
    return {r.tensor(sizes, type), r.tensor(sizes, at::kLong), reduction(r)};
}
Values multilabelMarginLossBackward(Random& r) {
    Values a = multilabelMarginLoss(r);
    const Values forward = call("aten::multilabel_margin_loss_forward", a);
    a.insert(a.begin(), forward[0]);
    a.push_back(forward[1]);
    return a;
}

Values gluBackward(Random& r) {
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    const auto rank = static_cast<int64_t>(sizes.size());
    const int64_t dim = r.number(0, rank - 1);
    const auto type = r.floating();
    const at::Tensor grad = r.tensor(sizes, type);
    sizes[static_cast<std::size_t>(dim)] *= 2;
    return {grad, r.tensor(sizes, type), dim};
}

Values ctcLoss(Random& r) {
    const int64_t steps = r.number(4, 6), batch = r.number(1, 3), classes = r.number(2, 4), longest = r.number(1, 2);
    return {r.tensor({steps, batch, classes}, r.oneOf({at::kFloat, at::kDouble})),
            r.plain({batch, longest}, at::kLong).fill_(1),
            Sizes(static_cast<std::size_t>(batch), steps),
            r.sizes(static_cast<std::size_t>(batch), 1, longest),
            int64_t{0},
            r.coin()};
}
Values ctcLossBackward(Random& r) {
    const Values a = ctcLoss(r), forward = call("aten::_ctc_loss", a);
    return {likeShape(r, forward[0].toTensor()), a[0], a[1], a[2], a[3], forward[0], forward[1], a[4], a[5]};
}

Values ctcLossBackwardOfTensors(Random& r) {
    Values a = ctcLossBackward(r);
    for (const std::size_t lengths : {3, 4}) a[lengths] = at::tensor(a[lengths].toIntVector());
    return a;
}
/// input, target, weight, pos_weight, reduction
Values crossEntropyWithLogits(Random& r) {
    const at::Tensor input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 1, 4), r.floating());
    return {input, likeShape(r, input), r.maybe(likeShape(r, input)), r.maybe(likeShape(r, input)), reduction(r)};
}

}  // namespace

Generators lossGenerators() {
    return {
        {"aten::binary_cross_entropy", {binaryCrossEntropy}},
        {"aten::binary_cross_entropy_backward", {binaryCrossEntropyBackward}},
        {"aten::huber_loss", {huberLoss}},
        {"aten::huber_loss_backward", {elementLossBackwardWithNumber}},
        {"aten::mse_loss_backward", {elementLossBackward}},
        {"aten::smooth_l1_loss_backward", {elementLossBackwardWithNumber}},
        {"aten::nll_loss_backward", {nllLossBackward}},
        {"aten::nll_loss2d_forward", {nllLoss2d}},
        {"aten::nll_loss2d_backward", {nllLoss2dBackward}},
        {"aten::multi_margin_loss", {multiMarginLoss}},
        {"aten::multi_margin_loss_backward", {multiMarginLossBackward}},
        {"aten::multilabel_margin_loss_forward", {multilabelMarginLoss}},
        {"aten::multilabel_margin_loss_backward", {multilabelMarginLossBackward}},
        {"aten::glu_backward", {gluBackward}},
        {"aten::_ctc_loss", {ctcLoss}},
        {"aten::_ctc_loss_backward", {ctcLossBackward}},
        {"aten::_ctc_loss_backward.Tensor", {ctcLossBackwardOfTensors}},
        {"aten::binary_cross_entropy_with_logits", {crossEntropyWithLogits}},
    };
}

}  // namespace aotscope::test
