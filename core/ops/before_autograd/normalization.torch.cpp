#include "ops/before_autograd/rules.h"

#include "aten/version_kept.h"
#include "ops/decompositions/decomposition_support.h"

#include <ATen/ops/_native_batch_norm_legit.h>
#include <ATen/ops/_native_batch_norm_legit_no_training.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_dropout.h>

namespace aotscope {

namespace {

using namespace rules;
using Normalized = std::tuple<Tensor, Tensor, Tensor>;

/// native_dropout draws the same numbers and keeps a bool mask instead of a floating-point one for the backward. The
/// recorder knows what dropout does without dropping anything: it returns the input, or a copy.
std::optional<Tensor> dropout(const Tensor& input, double p, bool train) {
    if (!train || p <= 0 || p >= 1 || input.numel() == 0) return std::nullopt;
    return std::get<0>(at::native_dropout(input, p, true));
}

/// On a GPU, batch_norm becomes a cuDNN operation, which updates the running statistics despite its schema.
std::optional<Tensor> batchNormOnGpu(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                                     const MaybeTensor& mean, const MaybeTensor& var, bool training, double momentum,
                                     double eps, bool) {
    if (!input.is_cuda()) return std::nullopt;
    return std::get<0>(at::native_batch_norm(input, weight, bias, mean, var, training, momentum, eps));
}

/// Updates the running statistics, although its schema does not say so; those of the _legit forms do.
std::optional<Normalized> batchNorm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                                    const MaybeTensor& mean, const MaybeTensor& var, bool training, double momentum,
                                    double eps) {
    if (mean.has_value() != var.has_value()) return std::nullopt;
    if (!mean) return at::_native_batch_norm_legit(input, weight, bias, training, momentum, eps);
    if (!training) return at::_native_batch_norm_legit_no_training(input, weight, bias, *mean, *var, momentum, eps);
    Tensor newMean = *mean, newVar = *var;
    const VersionKept keptMean(newMean), keptVar(newVar);  // batch norm in eager does not increment them
    return at::_native_batch_norm_legit(input, weight, bias, newMean, newVar, training, momentum, eps);
}

}  // namespace

std::vector<BeforeAutogradRow> normalizationBeforeAutograd() {
    return {
        {"aten.dropout.default", "dropout", rule<dropout>},
        {"aten.batch_norm.default", "batch_norm_on_gpu", rule<batchNormOnGpu>, /*everyDialect=*/true},
        {"aten.native_batch_norm.default", "native_batch_norm", rule<batchNorm>, /*everyDialect=*/true},
    };
}

}  // namespace aotscope
