// Fake quantization, and products with packed or scaled weights.

#include "ops/shapes/rule_results.h"

namespace aotscope {

namespace {

/// grad, input, scale, zero_point, ...: gradients of the last three. A per-tensor scale's have one element.
Results learnableBackward(const RuleCall& call) {
    const at::Tensor input = call.tensor(1), scale = call.tensor(2);
    return {preserved(input), contiguous(scale.sizes(), scale), contiguous(scale.sizes(), scale)};
}

/// The same arguments up to the axis, whose size the scales must have.
Results learnablePerChannel(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), scale = call.tensor(1);
    const int64_t axis = call.args[3].toInt();
    TORCH_CHECK(axis >= 0 && axis < input.dim() && scale.dim() == 1 && scale.numel() == input.size(axis),
                "fake_quantize_learnable_per_channel: expected a scale for each of the positions of axis ", axis,
                ", found sizes ", scale.sizes(), " for an input of sizes ", input.sizes());
    return preservedRule(call);
}

/// The quantized values of the first argument, and the mask of those in range.
Results fakeQuantize(const RuleCall& call) { return {preserved(call.tensor(0)), preserved(call.tensor(0), at::kBool)}; }

/// The same from an observer, whose range (3, 4), scale (5) and zero point (6) are returned as copies.
Results fakeQuantizeObserving(const RuleCall& call) {
    Results results = fakeQuantize(call);
    for (std::size_t i = 3; i <= 6; ++i) results.emplace_back(preserved(call.tensor(i)));
    return results;
}

/// Rows of a matrix times the transpose of a packed matrix, whose rows become columns.
Results packedProduct(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), packed = call.tensor(1);
    TORCH_CHECK(a.dim() == 2 && packed.dim() == 2, "expected matrices, found sizes ", a.sizes(), " and ",
                packed.sizes());
    return {contiguous({a.size(0), packed.size(0)}, a)};
}

/// int8 weights: input, weight, a scale per row of the weight
Results int8Product(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), weight = call.tensor(1);
    TORCH_CHECK(a.dim() == 2 && weight.dim() == 2 && a.size(1) == weight.size(1),
                "_weight_int8pack_mm: expected a weight with as many columns as the input, found sizes ", a.sizes(),
                " and ", weight.sizes());
    return packedProduct(call);
}

/// weight, tiles: two four-bit numbers per byte
Results packInt4(const RuleCall& call) {
    const at::Tensor weight = call.tensor(0);
    TORCH_CHECK(weight.dim() == 2 && weight.scalar_type() == at::kInt,
                "_convert_weight_to_int4pack_for_cpu: expected a matrix of dtype int32, found ", weight.scalar_type(),
                " of sizes ", weight.sizes());
    return {contiguous({weight.size(0), weight.size(1) / 2}, weight, at::kByte)};
}

/// Matrices a and b; argument 6 may give another dtype for the result.
Results scaledMatrices(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0), "_scaled_mm: incompatible matrix sizes ",
                a.sizes(), " and ", b.sizes());
    const at::ScalarType dtype = call.args[6].isNone() ? a.scalar_type() : call.args[6].toScalarType();
    return {contiguous({a.size(0), b.size(1)}, a, dtype)};
}

}  // namespace

std::vector<ShapeRuleRow> quantizationRules() {
    return {
        {"aten::fake_quantize_per_tensor_affine_cachemask", fakeQuantize},
        {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", fakeQuantize},
        {"aten::fake_quantize_per_channel_affine_cachemask", fakeQuantize},
        {"aten::_fake_quantize_learnable_per_tensor_affine", preservedRule},
        {"aten::_fake_quantize_learnable_per_tensor_affine_backward", learnableBackward},
        {"aten::_fake_quantize_learnable_per_channel_affine", learnablePerChannel},
        {"aten::_fused_moving_avg_obs_fq_helper", fakeQuantize},
        {"aten::_fused_moving_avg_obs_fq_helper_functional", fakeQuantizeObserving},
        {"aten::_weight_int8pack_mm", int8Product},
        {"aten::_weight_int4pack_mm_for_cpu", packedProduct},
        {"aten::_convert_weight_to_int4pack_for_cpu", packInt4},
        {"aten::_scaled_mm", scaledMatrices},
    };
}

}  // namespace aotscope
