#include "ops/decompositions/decomposition_support.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/zeros_like.h>

namespace aotscope {

namespace {

using namespace rules;

Tensor reduced(const Tensor& loss, std::int64_t reduction) {
    if (reduction == at::Reduction::Mean) return meanOf(loss);
    return reduction == at::Reduction::Sum ? sumOver(loss) : loss;
}
double meanFactor(const Tensor& self, std::int64_t reduction, double numerator) {
    const bool divides = reduction == at::Reduction::Mean && self.numel() > 0;
    return divides ? numerator / static_cast<double>(self.numel()) : numerator;
}

Tensor mseLoss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
    const Opmath math({self, target});
    return math.down(reduced(at::pow(minus(math.up(self), math.up(target)), 2), reduction));
}
Tensor mseLossBackward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction) {
    const Opmath math({grad, self, target});
    const Tensor difference = minus(math.up(self), math.up(target));
    return math.down(times(times(meanFactor(self, reduction, 2.0), difference), math.up(grad)));
}
Tensor smoothL1Loss(const Tensor& self, const Tensor& target, std::int64_t reduction, double beta) {
    const Opmath math({self, target});
    const Tensor loss = at::abs(minus(math.up(self), math.up(target)));
    const Tensor isSmall = loss.lt(beta), square = over(times(0.5, at::pow(loss, 2)), beta);
    return math.down(reduced(choose(isSmall, square, minus(loss, 0.5 * beta)), reduction));
}
Tensor smoothL1LossBackward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                            double beta) {
    const Opmath math({grad, self, target});
    const Tensor x = minus(math.up(self), math.up(target)), distance = at::abs(x);
    const Tensor scaled = times(meanFactor(self, reduction, 1.0), math.up(grad));
    const Tensor isSmall = distance.lt(beta), inner = over(times(scaled, x), beta);
    return math.down(choose(isSmall, inner, times(scaled, at::sign(x))));
}
Tensor huberLoss(const Tensor& self, const Tensor& target, std::int64_t reduction, double delta) {
    const Opmath math({self, target});
    const Tensor z = at::abs(minus(math.up(self), math.up(target)));
    const Tensor isSmall = z.lt(delta), square = times(times(0.5, z), z);
    return math.down(reduced(choose(isSmall, square, times(delta, minus(z, 0.5 * delta))), reduction));
}
Tensor huberLossBackward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                         double delta) {
    const Opmath math({grad, self, target});
    const Tensor g = math.up(grad), x = minus(math.up(self), math.up(target));
    const double norm = meanFactor(self, reduction, 1.0);
    const Tensor isLow = x.lt(-delta), low = times(times(-norm, g), delta), isHigh = x.gt(delta);
    const Tensor high = times(times(norm, g), delta), middle = times(times(norm, x), g);
    return math.down(choose(isLow, low, choose(isHigh, high, middle)));
}
Tensor binaryCrossEntropy(const Tensor& self, const Tensor& target, const MaybeTensor& weight, std::int64_t reduction) {
    const Opmath math({self, target, weight.value_or(Tensor())});
    const Tensor x = math.up(self), t = math.up(target);
    Tensor loss = minus(times(minus(t, 1), at::maximum(at::log1p(at::neg(x)), full({}, -100, x.scalar_type(), x))),
                        times(t, at::maximum(at::log(x), full({}, -100, x.scalar_type(), x))));
    if (weight) loss = times(loss, math.up(*weight));
    return math.down(reduced(loss, reduction));
}
Tensor binaryCrossEntropyBackward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                  const MaybeTensor& weight, std::int64_t reduction) {
    const Opmath math({grad, self, target, weight.value_or(Tensor())});
    const Tensor x = math.up(self);
    Tensor result = over(times(math.up(grad), minus(x, math.up(target))), at::clamp(times(x, minus(1, x)), 1e-12));
    if (weight) result = times(result, math.up(*weight));
    if (reduction == at::Reduction::Mean) result = over(result, self.numel());
    return math.down(result);
}
Tensor binaryCrossEntropyWithLogits(const Tensor& self, const Tensor& target, const MaybeTensor& weight,
                                    const MaybeTensor& positive, std::int64_t reduction) {
    Tensor loss;
    if (positive) {
        const Tensor factor = plus(times(minus(*positive, 1), target), 1);
        loss = minus(times(minus(1, target), self), times(factor, at::log_sigmoid(self)));
    } else {
        loss = minus(times(minus(1, target), self), at::log_sigmoid(self));
    }
    if (weight) loss = times(loss, *weight);
    return reduced(cast(loss, target.scalar_type()), reduction);
}
Tensor softMarginLoss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
    const Opmath math({self, target});
    return math.down(reduced(at::log1p(at::exp(times(at::neg(math.up(self)), math.up(target)))), reduction));
}
Tensor softMarginLossBackward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction) {
    const Opmath math({grad, self, target});
    const Tensor t = math.up(target);
    const Tensor result = times(times(t, math.up(grad)), minus(times(t, math.up(self)).sigmoid(), 1));
    return math.down(reduction == at::Reduction::Mean ? over(result, self.numel()) : result);
}

// --- Negative log likelihood --------------------------------------------------------------------------------------

std::int64_t channelOf(const Tensor& self) { return self.dim() < 2 ? 0 : 1; }
Tensor alongChannel(const Tensor& weight, const Tensor& self, bool view) {
    Sizes shape(static_cast<std::size_t>(self.dim()), 1);
    shape[static_cast<std::size_t>(channelOf(self))] = weight.size(0);
    return view ? weight.view(shape) : weight.reshape(shape);
}

std::tuple<Tensor, Tensor> nllLoss(const Tensor& input, const Tensor& targets, const MaybeTensor& weight,
                                   std::int64_t reduction, std::int64_t ignored) {
    const std::int64_t channel = channelOf(input);
    const Tensor target = input.dim() == 1 && targets.dim() > 0 ? targets.select(0, 0) : targets;
    Tensor self = input, factors;
    if (weight) {
        factors = input.dim() > 1 ? alongChannel(*weight, input, true) : *weight;
        self = times(self, factors);
    }
    const auto kept = [&] { return target.ne(ignored); };
    const Tensor places = choose(kept(), target, Scalar(0)).unsqueeze(channel);
    Tensor result = at::neg(at::gather(self, channel, places)).squeeze(channel);
    result = choose(kept(), result, Scalar(0));
    if (reduction == at::Reduction::None && input.dim() > 1) return {result, self.new_full({}, 0.0)};
    Tensor total;
    if (weight) {
        const Tensor chosen = at::gather(factors.expand(self.sizes()), channel, places).squeeze(channel);
        total = sumOver(choose(kept(), chosen, Scalar(0)));
    } else {
        total = cast(sumOver(kept()), self.scalar_type());
    }
    if (reduction == at::Reduction::Sum) result = sumOver(result);
    if (reduction == at::Reduction::Mean) result = over(sumOver(result), total);
    return {result, total};
}

Tensor nllLossBackward(const Tensor& gradOutput, const Tensor& self, const Tensor& targets, const MaybeTensor& weight,
                       std::int64_t reduction, std::int64_t ignored, const Tensor& total) {
    const std::int64_t channel = channelOf(self);
    Tensor grad = reduction == at::Reduction::Mean ? over(gradOutput, total) : gradOutput;
    Tensor target = self.dim() == 1 && targets.dim() > 0 ? targets.select(0, 0) : targets;
    target = target.unsqueeze(channel);
    const Tensor places = choose(target.ne(ignored), target, Scalar(0));
    const Tensor chosen = at::scatter(at::zeros_like(self), channel, places, -1.0);
    if (chosen.dim() > grad.dim() && grad.dim() > 0) grad = grad.unsqueeze(channel);
    if (weight) grad = times(grad, alongChannel(*weight, self, false));
    grad = choose(target.ne(ignored), grad, Scalar(0));
    return times(chosen, grad);
}

}  // namespace

std::vector<DecompositionRow> lossDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.mse_loss.default", "mse_loss", rule<mseLoss>, both},
        {"aten.mse_loss_backward.default", "mse_loss_backward", rule<mseLossBackward>, both},
        {"aten.smooth_l1_loss.default", "smooth_l1_loss", rule<smoothL1Loss>, both},
        {"aten.smooth_l1_loss_backward.default", "smooth_l1_loss_backward", rule<smoothL1LossBackward>, both},
        {"aten.huber_loss.default", "huber_loss", rule<huberLoss>, both},
        {"aten.huber_loss_backward.default", "huber_loss_backward", rule<huberLossBackward>, both},
        {"aten.binary_cross_entropy.default", "binary_cross_entropy", rule<binaryCrossEntropy>, both},
        {"aten.binary_cross_entropy_backward.default", "binary_cross_entropy_backward",
         rule<binaryCrossEntropyBackward>, both},
        {"aten.binary_cross_entropy_with_logits.default", "binary_cross_entropy_with_logits",
         rule<binaryCrossEntropyWithLogits>, both},
        {"aten.soft_margin_loss.default", "soft_margin_loss", rule<softMarginLoss>, both},
        {"aten.soft_margin_loss_backward.default", "soft_margin_loss_backward", rule<softMarginLossBackward>, both},
        {"aten.nll_loss_forward.default", "nll_loss", rule<nllLoss>, both},
        {"aten.nll_loss2d_forward.default", "nll_loss", rule<nllLoss>, both},
        {"aten.nll_loss_backward.default", "nll_loss_backward", rule<nllLossBackward>, both},
        {"aten.nll_loss2d_backward.default", "nll_loss_backward", rule<nllLossBackward>, both},
    };
}

}  // namespace aotscope
