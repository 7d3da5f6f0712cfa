#include "ops/before_autograd/rules.h"
#include "ops/decompositions/decomposition_support.h"

#include <ATen/TensorIndexing.h>
#include <ATen/core/Reduction.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/atleast_1d.h>
#include <ATen/ops/atleast_2d.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index.h>
#include <ATen/ops/mean.h>

namespace aotscope {

namespace {

using namespace rules;

/// For every other class: max(0, margin - score of the target + its own score), to the power p.
std::optional<Tensor> multiMarginLoss(const Tensor& self, const Tensor& labels, const Scalar& p, const Scalar& margin,
                                      const MaybeTensor& weight, std::int64_t reduction) {
    const Tensor scores = at::atleast_2d(self);
    const bool squared = p.equal(2);
    if ((!squared && !p.equal(1)) || scores.dim() != 2 || scores.size(1) == 0 || labels.dim() > 1 ||
        labels.numel() != scores.size(0))
        return std::nullopt;  // the kernel reports the error
    const Tensor target = at::atleast_1d(labels).unsqueeze(1);
    Tensor loss = plus(minus(margin, at::gather(scores, 1, target)), scores);
    loss = at::clamp_min(loss, 0);
    if (squared) loss = times(loss, loss);
    if (weight) loss = times(loss, at::index(at::atleast_1d(*weight), {std::optional<Tensor>(target)}));
    loss = choose(arange(scores.size(1), scores).ne(target), loss, Scalar(0));
    if (reduction == at::Reduction::Mean) return meanOf(loss);
    if (reduction == at::Reduction::Sum) return over(sumOver(loss), loss.size(1));
    return at::mean(loss, {1});
}

/// Labels up to the first -1 count. The loss of each other class against each label: max(0, 1 - score of the label +
/// its own score).
std::optional<std::tuple<Tensor, Tensor>> multilabelMarginLoss(const Tensor& self, const Tensor& labels,
                                                               std::int64_t reduction) {
    const Tensor scores = at::atleast_2d(self), target = at::atleast_2d(labels);
    const std::int64_t classes = scores.size(1);
    if (self.dim() > 2 || classes == 0 || labels.sizes() != self.sizes()) return std::nullopt;
    const Tensor places = arange(classes, target);
    const Tensor end = at::amin(choose(target.eq(-1), places, Scalar(classes)), {-1}, /*keepdim=*/true);
    const Tensor counts = places.lt(end);
    const Tensor ofLabels = at::gather(scores, -1, choose(counts, target, Scalar(0)));
    const Tensor known = choose(counts, target, Scalar(-1)).unsqueeze(-1);
    const Tensor isTarget = at::any(places.eq(known), 1);
    Tensor loss = plus(minus(1.0, ofLabels.numpy_T().unsqueeze(-1)), scores);
    loss = over(at::clamp_min(loss, 0), classes);
    loss = choose(isTarget, Scalar(0), loss);
    loss = choose(counts.numpy_T().unsqueeze(-1), loss, Scalar(0));
    if (reduction == at::Reduction::Mean) loss = meanOf(sumOver(loss, {0, -1}));
    else loss = reduction == at::Reduction::Sum ? sumOver(loss) : sumOver(loss, {0, -1});
    return std::tuple(loss, cast(isTarget, self.scalar_type()).reshape(labels.sizes()));
}

}  // namespace

std::vector<BeforeAutogradRow> lossesBeforeAutograd() {
    return {
        {"aten.multi_margin_loss.default", "multi_margin_loss", rule<multiMarginLoss>},
        {"aten.multilabel_margin_loss_forward.default", "multilabel_margin_loss", rule<multilabelMarginLoss>},
    };
}

}  // namespace aotscope
