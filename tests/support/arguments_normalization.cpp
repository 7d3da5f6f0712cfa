#include "support/outcomes.h"
#include "support/rule_arguments.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

namespace aotscope::test {

namespace {

struct Normalized {
    at::Tensor input;
    c10::IValue weight, bias;
    at::Tensor mean, var;
};

Normalized batchNormTensors(Random& r) {
    const auto type = r.floating();
    // Half precision may keep its parameters in single precision.
    const auto parameters = type == at::kBFloat16 && r.coin() ? at::kFloat : type;
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(2, 5)), 2, 5);
    const Sizes channels = {sizes[1]};
    Normalized n{r.tensor(sizes, type), {}, {}, r.plain(channels, parameters), r.plain(channels, parameters)};
    if (r.coin()) {
        n.weight = r.plain(channels, parameters);
        n.bias = r.plain(channels, parameters);
    } else if (parameters != type) {
        n.mean = n.mean.to(type);
        n.var = n.var.to(type);
    }
    return n;
}

Values batchNorm(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, n.mean, n.var, r.coin(), 0.1, 1e-5};
}
Values batchNormInference(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, n.mean, n.var, 0.1, 1e-5};
}
Values batchNormWithoutStatistics(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, true, 0.1, 1e-5};
}
Values batchNormBackward(Random& r) {
    const auto n = batchNormTensors(r);
    const bool train = r.coin();
    const Values forward =
        call("aten::native_batch_norm", {n.input, n.weight, n.bias, n.mean, n.var, train, 0.1, 1e-5});
    const bool affine = n.weight.isTensor();
    return {r.tensor(n.input.sizes().vec(), n.input.scalar_type()),
            n.input,
            n.weight,
            n.mean,
            n.var,
            forward[1],
            forward[2],
            train,
            1e-5,
            c10::List<bool>({r.coin(), affine && r.coin(), affine && r.coin()})};
}

Values layerNorm(Random& r) {
    const auto type = r.floating();
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 5);
    const Sizes normalized(sizes.end() - r.number(1, static_cast<int64_t>(sizes.size())), sizes.end());
    const auto parameters = type == at::kBFloat16 && r.coin() ? at::kFloat : type;
    const bool affine = r.coin();
    return {r.tensor(sizes, type), normalized, affine ? c10::IValue(r.plain(normalized, parameters)) : c10::IValue(),
            affine ? c10::IValue(r.plain(normalized, parameters)) : c10::IValue(), 1e-5};
}
Values layerNormBackward(Random& r) {
    const Values arguments = layerNorm(r);
    const Values forward = call("aten::native_layer_norm", arguments);
    const at::Tensor input = arguments[0].toTensor();
    const bool affine = arguments[2].isTensor();
    return {r.tensor(input.sizes().vec(), input.scalar_type()),
            input,
            arguments[1],
            forward[1],
            forward[2],
            arguments[2],
            arguments[3],
            c10::List<bool>({r.coin(), affine && r.coin(), affine && r.coin()})};
}

Values batchNormUpdate(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, n.mean, n.var, 0.1, 1e-5};
}
Values batchNormBackwardWithReserve(Random& r) {
    Values arguments = batchNormBackward(r);
    if (arguments[2].isNone()) arguments[2] = arguments[3].toTensor().clone();
    arguments.emplace_back(at::empty({0}, at::kByte));
    return arguments;
}
Values batchNormStatistics(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.mean, n.var, 0.1};
}

Values groupNorm(Random& r) {
    const auto type = r.floating();
    const int64_t groups = r.number(1, 3), channels = groups * r.number(1, 3);
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(2, 5)), 1, 4);
    sizes[1] = channels;
    const auto parameters = type == at::kBFloat16 && r.coin() ? at::kFloat : type;
    const bool affine = r.coin();
    const at::Tensor input = r.memoryFormat(sizes, type);
    const auto parameter = [&] { return affine ? c10::IValue(r.plain({channels}, parameters)) : c10::IValue(); };
    return {input, parameter(), parameter(), sizes[0], channels, input.numel() / (sizes[0] * channels), groups, 1e-5};
}
Values groupNormBackward(Random& r) {
    const Values a = groupNorm(r);
    const Values forward = call("aten::native_group_norm", a);
    const at::Tensor input = a[0].toTensor();
    const bool affine = a[1].isTensor();
    return {at::empty_like(input).fill_(1),
            input,
            forward[1],
            forward[2],
            a[1],
            a[3],
            a[4],
            a[5],
            a[6],
            c10::List<bool>({true, affine && r.coin(), affine && r.coin()})};  // LibTorch crashes on a first false
}

/// v, g, dim: norms over all dimensions but the first or the last.
Values weightNorm(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble, at::kBFloat16});
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    const auto last = static_cast<int64_t>(sizes.size()) - 1;
    const int64_t dim = r.coin() ? 0 : last;
    Sizes norms(sizes.size(), 1);
    norms[static_cast<std::size_t>(dim)] = sizes[static_cast<std::size_t>(dim)];
    return {r.plain(sizes, type), r.plain(norms, type), dim};
}
Values weightNormBackward(Random& r) {
    const Values a = weightNorm(r);
    const Values forward = call("aten::_weight_norm_interface", a);
    return {r.plain(a[0].toTensor().sizes().vec(), a[0].toTensor().scalar_type()), a[0], a[1], forward[1], a[2]};
}

}  // namespace

Generators normalizationGenerators() {
    return {
        {"aten::native_batch_norm", {batchNorm}},
        {"aten::_native_batch_norm_legit", {batchNorm}},
        {"aten::_native_batch_norm_legit.no_stats", {batchNormWithoutStatistics}},
        {"aten::_native_batch_norm_legit_functional", {batchNorm}},
        {"aten::_native_batch_norm_legit_no_training", {batchNormInference}},
        {"aten::native_batch_norm_backward", {batchNormBackward}},
        {"aten::native_layer_norm", {layerNorm}},
        {"aten::native_layer_norm_backward", {layerNormBackward}},
        {"aten::_batch_norm_with_update", {batchNormUpdate}},
        {"aten::_batch_norm_with_update_functional", {batchNormUpdate}},
        {"aten::_batch_norm_no_update", {batchNormUpdate}},
        {"aten::batch_norm_backward", {batchNormBackwardWithReserve}},
        {"aten::batch_norm_update_stats", {batchNormStatistics}},
        {"aten::native_group_norm", {groupNorm}},
        {"aten::native_group_norm_backward", {groupNormBackward}},
        {"aten::_weight_norm_interface", {weightNorm}},
        {"aten::_weight_norm_interface_backward", {weightNormBackward}},
    };
}

}  // namespace aotscope::test
