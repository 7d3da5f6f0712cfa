#include "ops/shapes/rule_results.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

namespace aotscope {

namespace {

/// Statistics of half-precision inputs: on the CPU in the type of the parameters, or else of the input; elsewhere in
/// single precision.
at::ScalarType statisticsType(const at::Tensor& input, const at::Tensor& parameter, c10::Device device) {
    const auto type = input.scalar_type();
    const bool half = type == at::kHalf || type == at::kBFloat16;
    if (!half) return type;
    if (!device.is_cpu()) return at::kFloat;
    return parameter.defined() ? parameter.scalar_type() : type;
}

at::Tensor denseLike(const at::Tensor& input) {
    return at::empty_like(input, input.options(), input.suggest_memory_format());
}

at::Tensor vectorOf(int64_t n, const at::Tensor& like, at::ScalarType type) {
    return at::empty({n}, like.options().dtype(type));
}

/// Output, mean and inverse deviation of a batch norm; the latter two are empty in evaluation mode.
std::vector<c10::IValue> batchNormResults(const RuleCall& call, bool training) {
    const at::Tensor input = call.tensor(0);
    const auto type = statisticsType(input, call.tensor(1), call.device);
    const int64_t channels = training ? input.size(1) : 0;
    return {denseLike(input), vectorOf(channels, input, type), vectorOf(channels, input, type)};
}

/// input, weight, bias, running_mean, running_var, training, momentum, eps
std::vector<c10::IValue> batchNorm(const RuleCall& call) { return batchNormResults(call, call.args[5].toBool()); }

std::vector<c10::IValue> batchNormFunctional(const RuleCall& call) {
    auto results = batchNorm(call);
    results.emplace_back(at::empty_like(call.tensor(3)));
    results.emplace_back(at::empty_like(call.tensor(4)));
    return results;
}

std::vector<c10::IValue> batchNormInference(const RuleCall& call) { return batchNormResults(call, false); }

/// input, weight, bias, training, momentum, eps
std::vector<c10::IValue> batchNormWithoutStatistics(const RuleCall& call) {
    return batchNormResults(call, call.args[3].toBool());
}

/// grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, mask
std::vector<c10::IValue> batchNormBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0), input = call.tensor(1), weight = call.tensor(2);
    const auto mask = call.args[9].toBoolList();
    const auto type = statisticsType(input, weight, call.device);
    std::vector<c10::IValue> results(3, at::Tensor());
    if (mask[0]) results[0] = at::empty_like(input, input.options(), input.suggest_memory_format());
    if (mask[1]) results[1] = vectorOf(input.size(1), input, type);
    if (mask[2]) results[2] = vectorOf(input.size(1), input, type);
    return results;
}

/// input, normalized_shape, weight, bias, eps
std::vector<c10::IValue> layerNorm(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const auto normalized = call.args[1].toIntVector();
    TORCH_CHECK(static_cast<int64_t>(normalized.size()) <= input.dim() &&
                    input.sizes().slice(static_cast<std::size_t>(input.dim()) - normalized.size()) ==
                        c10::IntArrayRef(normalized),
                "native_layer_norm: normalized_shape=", c10::IntArrayRef(normalized),
                " expects an input that ends with these sizes, found ", input.sizes());
    std::vector<int64_t> statistics = input.sizes().vec();
    for (std::size_t i = statistics.size() - normalized.size(); i < statistics.size(); ++i) statistics[i] = 1;
    const auto type = statisticsType(input, call.tensor(2), call.device);
    return {at::empty(input.sizes(), input.options()), at::empty(statistics, input.options().dtype(type)),
            at::empty(statistics, input.options().dtype(type))};
}

/// grad_out, input, normalized_shape, mean, rstd, weight, bias, mask
std::vector<c10::IValue> layerNormBackward(const RuleCall& call) {
    const auto mask = call.args[7].toBoolList();
    std::vector<c10::IValue> results(3, at::Tensor());
    if (mask[0]) results[0] = at::empty(call.tensor(1).sizes(), call.tensor(1).options());
    if (mask[1] && call.has(5)) results[1] = at::empty(call.tensor(5).sizes(), call.tensor(5).options());
    if (mask[2] && call.has(6)) results[2] = at::empty(call.tensor(6).sizes(), call.tensor(6).options());
    return results;
}

/// The variants of batch norm that PyTorch exports: a fourth result is the backend's reserve, empty on the CPU.
Results withReserve(Results results, const at::Tensor& input) {
    results.emplace_back(contiguous({0}, input, at::kByte));
    return results;
}
Results batchNormUpdate(const RuleCall& call) { return withReserve(batchNormResults(call, true), call.tensor(0)); }
Results batchNormNoUpdate(const RuleCall& call) { return withReserve(batchNormResults(call, false), call.tensor(0)); }
Results batchNormUpdateFunctional(const RuleCall& call) {
    Results results = batchNormUpdate(call);
    for (std::size_t i : {3, 4}) results.emplace_back(preserved(call.tensor(i)));
    return results;
}

/// input, running_mean, running_var, momentum
Results batchNormStatistics(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const auto type = statisticsType(input, call.tensor(1), call.device);
    return {vectorOf(input.size(1), input, type), vectorOf(input.size(1), input, type)};
}

/// The kernels outside the CPU support only one format.
at::Tensor groupNormOutput(const at::Tensor& input, c10::Device device) {
    return device.is_cpu() ? suggested(input) : contiguous(input.sizes(), input);
}

/// input, weight, bias, N, C, HxW, group, eps
Results groupNorm(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const int64_t batch = call.args[3].toInt(), channels = call.args[4].toInt(), groups = call.args[6].toInt();
    TORCH_CHECK(groups > 0 && channels % groups == 0,
                "group_norm: expected number of channels in input to be divisible by num_groups, but got ", channels,
                " channels and num_groups=", groups);
    TORCH_CHECK(input.numel() == batch * channels * call.args[5].toInt(), "group_norm: expected ",
                batch * channels * call.args[5].toInt(), " elements, found sizes ", input.sizes());
    const auto type = statisticsType(input, call.tensor(1), call.device);
    return {groupNormOutput(input, call.device), contiguous({batch, groups}, input, type),
            contiguous({batch, groups}, input, type)};
}

/// grad_out, input, mean, rstd, weight, N, C, HxW, group, mask
Results groupNormBackward(const RuleCall& call) {
    const at::Tensor input = call.tensor(1);
    const auto mask = call.args[9].toBoolList();
    const auto type = statisticsType(input, call.tensor(4), call.device);
    std::vector<c10::IValue> results(3, at::Tensor());
    if (mask[0]) results[0] = groupNormOutput(input, call.device);
    for (std::size_t i : {1, 2})
        if (mask[i]) results[i] = vectorOf(call.args[6].toInt(), input, type);
    return results;
}

/// grad_out, input, normalized_shape, rstd, weight, mask
Results rmsNormBackward(const RuleCall& call) {
    const at::Tensor input = call.tensor(1), weight = call.tensor(4);
    const auto mask = call.args[5].toBoolList();
    return {mask[0] ? contiguous(input.sizes(), input) : at::Tensor(),
            mask[1] && weight.defined() ? contiguous(weight.sizes(), weight) : at::Tensor()};
}

}  // namespace

std::vector<ShapeRuleRow> normalizationRules() {
    return {
        {"aten::native_batch_norm", batchNorm},
        {"aten::_native_batch_norm_legit", batchNorm},
        {"aten::_native_batch_norm_legit.no_stats", batchNormWithoutStatistics},
        {"aten::_native_batch_norm_legit_functional", batchNormFunctional},
        {"aten::_native_batch_norm_legit_no_training", batchNormInference},
        {"aten::native_batch_norm_backward", batchNormBackward},
        {"aten::_batch_norm_with_update", batchNormUpdate},
        {"aten::_batch_norm_with_update_functional", batchNormUpdateFunctional},
        {"aten::_batch_norm_no_update", batchNormNoUpdate},
        {"aten::batch_norm_backward", batchNormBackward},
        {"aten::batch_norm_update_stats", batchNormStatistics},
        {"aten::native_group_norm", groupNorm},
        {"aten::native_group_norm_backward", groupNormBackward},
        {"aten::native_layer_norm", layerNorm},
        {"aten::native_layer_norm_backward", layerNormBackward},
        {"aten::_fused_rms_norm_backward", rmsNormBackward},
    };
}

}  // namespace aotscope
