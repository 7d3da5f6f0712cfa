#include "ops/decompositions/decomposition_support.h"

#include <ATen/ops/add.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/var_mean.h>
#include <ATen/ops/zeros_like.h>

#include <c10/util/accumulate.h>

#include <limits>

namespace aotscope {

namespace {

using namespace rules;

/// Converts to a wider type, and to contiguous if the memory format differs.
Tensor castContiguous(const Tensor& t, Dtype type) {
    return t.to(type, /*non_blocking=*/false, /*copy=*/false, at::MemoryFormat::Contiguous);
}
MaybeTensor castContiguous(const MaybeTensor& t, Dtype type) { return t ? MaybeTensor(castContiguous(*t, type)) : t; }
Tensor castMaybe(const Tensor& t, Dtype type) { return t.defined() ? cast(t, type) : t; }
Sizes range(std::int64_t from, std::int64_t to) {
    Sizes dims;
    for (std::int64_t i = from; i < to; ++i) dims.push_back(i);
    return dims;
}
/// All dimensions except the channels.
Sizes allButChannel(const Tensor& t) {
    Sizes dims = {0};
    for (std::int64_t i = 2; i < t.dim(); ++i) dims.push_back(i);
    return dims;
}

// --- Layer norm -------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor, Tensor> layerNorm(const Tensor& given, const Sizes& shape, const MaybeTensor& weight,
                                             const MaybeTensor& bias, double eps) {
    const Tensor input = given.contiguous();
    const Dtype type = input.scalar_type();
    const Sizes dims = range(input.dim() - static_cast<std::int64_t>(shape.size()), input.dim());
    const Tensor x = cast(input, computationType(type));
    const auto [variance, mean] = at::var_mean(x, dims, /*correction=*/Scalar(0), /*keepdim=*/true);
    const Tensor rstd = at::rsqrt(plus(variance, eps));
    Tensor out = times(minus(x, mean), rstd);
    if (weight) out = times(out, weight->contiguous());
    if (bias) out = plus(out, bias->contiguous());
    const bool cpu = input.is_cpu();
    return {cast(out, type), cpu ? cast(mean, type) : mean, cpu ? cast(rstd, type) : rstd};
}

using ThreeGradients = std::tuple<Tensor, Tensor, Tensor>;

ThreeGradients layerNormBackward(const Tensor& gradOut, const Tensor& given, const Sizes& shape, const Tensor& mean,
                                 const Tensor& rstd, const MaybeTensor& weight, const MaybeTensor& bias,
                                 const std::vector<bool>& mask) {
    const Dtype type = computationType(given.scalar_type());
    const Tensor grad = castContiguous(gradOut, type), input = castContiguous(given, type);
    const MaybeTensor w = castContiguous(weight, type), b = castContiguous(bias, type);
    const std::int64_t axis = input.dim() - static_cast<std::int64_t>(shape.size());
    const Sizes inner = range(axis, input.dim()), outer = range(0, axis);
    const auto innerSizes = input.sizes().slice(static_cast<std::size_t>(axis));
    const std::int64_t count = c10::multiply_integers(innerSizes);
    if (input.numel() == 0)
        return {mask[0] ? given.new_zeros(given.sizes()) : Tensor(), mask[1] ? given.new_zeros(innerSizes) : Tensor(),
                mask[2] ? given.new_zeros(innerSizes) : Tensor()};
    const Tensor m = unsqueezeTo(mean, input.dim()), r = unsqueezeTo(rstd, input.dim());
    const Tensor normal = times(minus(input, m), r), weighted = w ? times(grad, *w) : grad;
    const Tensor scaled = times(weighted, count), total = sumOver(weighted, inner, true);
    const Tensor projection = times(normal, sumOver(times(weighted, normal), inner, true));
    const Tensor rest = minus(minus(scaled, total), projection);
    Tensor ofInput, ofWeight, ofBias;
    if (mask[0]) ofInput = times(over(r, count), rest);
    if (mask[1] && w) ofWeight = outer.empty() ? times(grad, normal) : sumOver(times(grad, normal), outer);
    if (mask[2] && b) ofBias = outer.empty() ? at::clone(grad) : sumOver(grad, outer);
    return {castMaybe(ofInput, given.scalar_type()), castMaybe(ofWeight, weight ? weight->scalar_type() : type),
            castMaybe(ofBias, bias ? bias->scalar_type() : type)};
}

std::tuple<Tensor, Tensor> rmsNorm(const Tensor& input, const Sizes& shape, const MaybeTensor& weight,
                                   std::optional<double> eps) {
    const Dtype type = computationType(input.scalar_type());
    const Tensor x = cast(input, type);
    const double epsilon = eps.value_or(type == at::kFloat ? std::numeric_limits<float>::epsilon()
                                                           : std::numeric_limits<double>::epsilon());
    Sizes dims;
    for (std::size_t i = 0; i < shape.size(); ++i) dims.push_back(input.dim() - static_cast<std::int64_t>(i) - 1);
    Tensor r = at::rsqrt(at::add(at::mean(at::pow(x, 2), dims, /*keepdim=*/true), Scalar(epsilon)));
    Tensor result = times(x, r);
    if (weight) result = times(result, *weight);
    const auto format = input.suggest_memory_format();
    if (format != at::MemoryFormat::ChannelsLast && format != at::MemoryFormat::ChannelsLast3d) {
        result = result.contiguous();
        r = r.contiguous();
    }
    return {cast(result, input.scalar_type()), r};
}

std::tuple<Tensor, Tensor> rmsNormBackward(const Tensor& gradOut, const Tensor& given, const Sizes& shape,
                                           const Tensor& rstd, const MaybeTensor& weight,
                                           const std::vector<bool>& mask) {
    const Dtype type = computationType(given.scalar_type());
    const Tensor grad = castContiguous(gradOut, type), input = castContiguous(given, type);
    const MaybeTensor w = castContiguous(weight, type);
    const std::int64_t axis = input.dim() - static_cast<std::int64_t>(shape.size());
    const auto innerSizes = input.sizes().slice(static_cast<std::size_t>(axis));
    if (input.numel() == 0)
        return {mask[0] ? given.new_zeros(given.sizes()) : Tensor(), mask[1] ? given.new_zeros(innerSizes) : Tensor()};
    const Tensor r = unsqueezeTo(rstd, input.dim()), weighted = w ? times(grad, *w) : grad, normal = times(input, r);
    Tensor ofInput, ofWeight;
    if (mask[0]) {
        const Tensor total = sumOver(times(normal, weighted), range(axis, input.dim()), true);
        ofInput = times(minus(weighted, times(over(normal, c10::multiply_integers(innerSizes)), total)), r);
    }
    if (mask[1] && w) {
        ofWeight = times(grad, normal);
        if (axis > 0) ofWeight = sumOver(ofWeight, range(0, axis));
    }
    return {castMaybe(ofInput, given.scalar_type()), castMaybe(ofWeight, given.scalar_type())};
}

// --- Group norm -------------------------------------------------------------------------------------------------

/// Appends dimensions of size 1 up to those of `input`.
Tensor overPositions(const Tensor& t, const Tensor& input) { return unsqueezeTo(t, input.dim()); }

std::tuple<Tensor, Tensor, Tensor> groupNorm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                                             std::int64_t batch, std::int64_t channels, std::int64_t positions,
                                             std::int64_t groups, double eps) {
    const Dtype type = input.scalar_type();
    const Tensor x = cast(input, computationType(type));
    const Tensor grouped = x.reshape({batch, groups, channels / groups, positions});
    const Sizes dims = {2, 3};
    const auto [variance, mean] = at::var_mean(grouped, dims, Scalar(0), /*keepdim=*/true);
    const Tensor rstd = at::rsqrt(plus(variance, eps));
    Tensor out;
    if (input.is_cpu() && weight) {
        const auto perChannel = [&](const Tensor& t) { return t.reshape({1, groups, channels / groups, 1}); };
        const auto flat = [&](const Tensor& t) {
            return overPositions(t.contiguous().as_strided({batch, channels}, {channels, 1}), input);
        };
        const Tensor w = times(rstd, perChannel(*weight));
        Tensor b = times(mean.neg(), w);
        if (bias) b = plus(b, perChannel(*bias));
        const Tensor factor = flat(w), shift = flat(b);
        out = plus(times(x, factor), shift);
    } else {
        const auto alongChannels = [&](const Tensor& t) { return overPositions(t.unsqueeze(0), input); };
        out = times(minus(grouped, mean), rstd).view(input.sizes());
        if (weight) out = times(out, alongChannels(*weight));
        if (bias) out = plus(out, alongChannels(*bias));
    }
    return {cast(out, type), at::squeeze(cast(mean, type), dims), at::squeeze(cast(rstd, type), dims)};
}

ThreeGradients groupNormBackward(const Tensor& gradOut, const Tensor& given, const Tensor& givenMean,
                                 const Tensor& givenRstd, const MaybeTensor& weight, std::int64_t batch,
                                 std::int64_t channels, std::int64_t positions, std::int64_t groups,
                                 const std::vector<bool>& mask) {
    const Opmath math({gradOut, given, givenMean, givenRstd, weight.value_or(Tensor())});
    const Tensor grad = math.up(gradOut), input = math.up(given), mean = math.up(givenMean), rstd = math.up(givenRstd);
    const Tensor w = math.up(weight.value_or(Tensor()));
    const std::int64_t perGroup = channels / groups;
    const Tensor ofScale = sumOver(times(grad, input).view({batch, channels, positions}), {2});
    const Tensor ofShift = sumOver(grad.view({batch, channels, positions}), {2});
    Tensor ofInput, ofWeight, ofBias;
    if (mask[0]) {
        const auto grouped = [&](const Tensor& t) {
            const Tensor weighted = w.defined() ? times(t, w.unsqueeze(0)) : t;
            return sumOver(weighted.reshape({batch, groups, perGroup}), {2});
        };
        const double norm = 1.0 / static_cast<double>(positions * perGroup);
        const Tensor scale = grouped(ofScale), shift = grouped(ofShift);
        const Tensor factor =
            w.defined() ? w.reshape({1, groups, perGroup}) : at::ones({1, groups, perGroup}, rstd.options());
        const Tensor c1 = times(rstd.unsqueeze(-1), factor).unsqueeze(-1);
        const Tensor c2 = times(times(times(times(minus(times(shift, mean), scale), rstd), rstd), rstd), norm);
        const Tensor c3 = minus(times(c2.neg(), mean), times(times(shift, rstd), norm));
        const Sizes parts = {batch, groups, perGroup, positions};
        const Tensor c2All = unsqueezeTo(c2, 4), c3All = unsqueezeTo(c3, 4);
        ofInput = plus(plus(times(grad.reshape(parts), c1), times(input.reshape(parts), c2All)), c3All);
        ofInput = math.down(ofInput.reshape(input.sizes()));
    }
    if (mask[1]) {
        const auto perChannel = [&](const Tensor& t) { return t.view({batch, groups, perGroup}); };
        const Tensor centred = minus(perChannel(ofScale), times(perChannel(ofShift), mean.unsqueeze(-1)));
        ofWeight = math.down(sumOver(times(centred, rstd.unsqueeze(-1)), {0}).reshape({channels}));
    }
    if (mask[2]) ofBias = math.down(sumOver(ofShift, {0}));
    return {ofInput, ofWeight, ofBias};
}

// --- Batch norm -------------------------------------------------------------------------------------------------

struct BatchNormResults {
    Tensor output, mean, rstd, runningMean, runningVar;
};

Tensor overChannels(const Tensor& t, const Tensor& input) { return unsqueezeTo(t.flatten(), input.dim() - 1); }

/// Weights the batch's statistic by `momentum`.
Tensor blend(const Tensor& ofBatch, const Tensor& running, double momentum) {
    return plus(times(momentum, ofBatch), times(1 - momentum, running));
}

void normalizeByBatch(BatchNormResults& r, const Tensor& input, const MaybeTensor& runningMean,
                      const MaybeTensor& runningVar, double momentum, double eps) {
    const Sizes dims = allButChannel(input);
    const Tensor x = cast(input, computationType(input.scalar_type()));
    const auto [variance, mean] = at::var_mean(x, dims, Scalar(0), /*keepdim=*/true);
    const Tensor rstd = at::rsqrt(plus(variance, eps));
    r.output = times(minus(input, mean), rstd);
    r.mean = at::squeeze(mean, dims);
    r.rstd = at::squeeze(rstd, dims);
    if (runningMean) r.runningMean = cast(blend(r.mean, *runningMean, momentum), runningMean->scalar_type());
    if (!runningVar) return;
    const double count = static_cast<double>(input.numel()) / static_cast<double>(input.size(1));
    const Tensor unbiased = times(at::squeeze(variance, dims), count / (count - 1));
    r.runningVar = cast(blend(unbiased, *runningVar, momentum), runningVar->scalar_type());
}

void normalizeByRunning(BatchNormResults& r, const Tensor& input, const Tensor& runningMean, const Tensor& runningVar,
                        double eps) {
    const Dtype type = computationType(input.scalar_type());
    const Tensor mean = runningMean.to(type, /*non_blocking=*/false, /*copy=*/true);
    const Tensor variance = runningVar.to(type, false, true);
    const Tensor rstd = times(at::reciprocal(at::sqrt(plus(variance, eps))), 1);
    r.mean = input.is_cpu() ? input.new_zeros({0}) : mean;
    r.rstd = input.is_cpu() ? input.new_zeros({0}) : rstd;
    r.output = times(minus(input, unsqueezeTo(mean, input.dim() - 1)), unsqueezeTo(rstd, input.dim() - 1));
    r.runningMean = cast(mean, runningMean.scalar_type());
    r.runningVar = cast(variance, runningVar.scalar_type());
}

BatchNormResults batchNorm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                           const MaybeTensor& runningMean, const MaybeTensor& runningVar, bool training,
                           double momentum, double eps) {
    BatchNormResults r;
    if (training) normalizeByBatch(r, input, runningMean, runningVar, momentum, eps);
    else normalizeByRunning(r, input, *runningMean, *runningVar, eps);
    if (weight) r.output = times(r.output, overChannels(*weight, input));
    if (bias) r.output = plus(r.output, overChannels(*bias, input));
    if (input.is_cpu()) {
        r.mean = cast(r.mean, input.scalar_type());
        r.rstd = cast(r.rstd, input.scalar_type());
    }
    r.output = cast(r.output, input.scalar_type());
    return r;
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> batchNormFunctional(const Tensor& input, const MaybeTensor& weight,
                                                                       const MaybeTensor& bias, const Tensor& mean,
                                                                       const Tensor& var, bool training,
                                                                       double momentum, double eps) {
    const auto r = batchNorm(input, weight, bias, mean, var, training, momentum, eps);
    return {r.output, r.mean, r.rstd, r.runningMean, r.runningVar};
}
std::tuple<Tensor, Tensor, Tensor> batchNormWithoutStatistics(const Tensor& input, const MaybeTensor& weight,
                                                              const MaybeTensor& bias, bool training, double momentum,
                                                              double eps) {
    const auto r = batchNorm(input, weight, bias, {}, {}, training, momentum, eps);
    return {r.output, r.mean, r.rstd};
}
std::tuple<Tensor, Tensor, Tensor> batchNormNoTraining(const Tensor& input, const MaybeTensor& weight,
                                                       const MaybeTensor& bias, const Tensor& mean, const Tensor& var,
                                                       double momentum, double eps) {
    const auto r = batchNorm(input, weight, bias, mean, var, false, momentum, eps);
    return {r.output, r.mean, r.rstd};
}

/// A vector of channels, reshaped to broadcast with `input`, one dimension at a time.
Tensor alongChannel(Tensor t, const Tensor& input) {
    for (std::int64_t axis = 0; axis < input.dim(); ++axis) {
        const std::int64_t wanted = axis == 1 ? input.size(1) : 1;
        if (wanted == 1 && !(axis < t.dim() && t.size(axis) == 1)) t = t.unsqueeze(axis);
    }
    return t;
}

ThreeGradients batchNormBackward(const Tensor& gradOut, const Tensor& given, const MaybeTensor& weight,
                                 const MaybeTensor& runningMean, const MaybeTensor& runningVar,
                                 const MaybeTensor& savedMean, const MaybeTensor& savedRstd, bool train, double eps,
                                 const std::vector<bool>& mask) {
    const Dtype type = computationType(given.scalar_type());
    const auto up = [&](const MaybeTensor& t) { return t ? cast(*t, type) : Tensor(); };
    const Tensor grad = cast(gradOut, type), input = cast(given, type), w = up(weight);
    const Tensor running = up(runningMean), variance = up(runningVar), mean = up(savedMean), rstd = up(savedRstd);
    const Tensor invstd = train ? rstd : at::rsqrt(plus(variance, eps));
    const Tensor center = alongChannel(train ? mean : running, input);
    const double norm = 1.0 / (static_cast<double>(input.numel()) / static_cast<double>(input.size(1)));
    const Sizes dims = allButChannel(input);
    const Tensor total = sumOver(grad, dims), product = sumOver(times(grad, minus(input, center)), dims);
    const Tensor meanGrad = alongChannel(times(total, norm), input);
    const Tensor projection = alongChannel(times(times(product, norm), times(invstd, invstd)), input);
    const Tensor scale = w.defined() ? alongChannel(times(invstd, w), input) : times(alongChannel(invstd, input), 1.0);
    Tensor ofInput;
    if (train) {
        const Tensor along = times(minus(input, center), projection);
        ofInput = times(minus(minus(grad, along), meanGrad), scale);
    } else {
        ofInput = times(grad, scale);
    }
    const Dtype weightType = weight ? weight->scalar_type() : given.scalar_type();
    const Tensor ofWeight = mask[1] ? times(product, invstd) : Tensor(), ofBias = mask[2] ? total : Tensor();
    return {cast(ofInput, given.scalar_type()), castMaybe(ofWeight, weightType), castMaybe(ofBias, weightType)};
}

// --- Dropout ----------------------------------------------------------------------------------------------------

std::optional<std::tuple<Tensor, Tensor>> dropout(const Tensor& input, double p, std::optional<bool> train) {
    if (input.is_complex()) return std::nullopt;
    const auto boolean = at::TensorOptions(at::kBool);
    if (!train.value_or(false) || p == 0) return std::tuple(input, at::ones_like(input, boolean));
    if (p == 1) return std::tuple(at::zeros_like(input), at::zeros_like(input, boolean));
    const Tensor kept = at::gt(at::rand_like(input), p);
    return std::tuple(times(times(kept, input), 1.0 / (1.0 - p)), kept);
}
Tensor dropoutBackward(const Tensor& grad, const Tensor& mask, double scale) {
    return at::clone(times(grad, times(cast(mask, grad.scalar_type()), scale)), grad.suggest_memory_format());
}

}  // namespace

std::vector<DecompositionRow> normalizationDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.native_layer_norm.default", "layer_norm", rule<layerNorm>, kInductor},
        {"aten.native_layer_norm_backward.default", "layer_norm_backward", rule<layerNormBackward>, both},
        {"aten.native_group_norm.default", "group_norm", rule<groupNorm>, kInductor},
        {"aten.native_group_norm_backward.default", "group_norm_backward", rule<groupNormBackward>, both},
        {"aten._fused_rms_norm.default", "rms_norm", rule<rmsNorm>, both},
        {"aten._fused_rms_norm_backward.default", "rms_norm_backward", rule<rmsNormBackward>, both},
        {"aten._native_batch_norm_legit_functional.default", "batch_norm", rule<batchNormFunctional>, kInductor},
        {"aten._native_batch_norm_legit.no_stats", "batch_norm", rule<batchNormWithoutStatistics>, kInductor},
        {"aten._native_batch_norm_legit_no_training.default", "batch_norm", rule<batchNormNoTraining>, kInductor},
        {"aten.native_batch_norm_backward.default", "batch_norm_backward", rule<batchNormBackward>, both},
        {"aten.native_dropout.default", "dropout", rule<dropout>, kInductor},
        {"aten.native_dropout_backward.default", "dropout_backward", rule<dropoutBackward>, both},
    };
}

}  // namespace aotscope
