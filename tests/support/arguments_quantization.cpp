#include "support/outcomes.h"
#include "support/rule_arguments.h"

#include <ATen/ops/empty.h>

namespace aotscope::test {

namespace {

constexpr int64_t kLowest = 0, kHighest = 255;

Values quantizedTensor(Random& r) {
    return {r.tensor(r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4), at::kFloat),
            r.plain({1}, at::kFloat),
            r.plain({1}, at::kFloat),
            kLowest,
            kHighest,
            1.0};
}
Values quantizedChannels(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    const int64_t axis = r.number(0, static_cast<int64_t>(sizes.size()) - 1);
    const int64_t channels = sizes[static_cast<std::size_t>(axis)];
    return {r.tensor(sizes, at::kFloat),
            r.plain({channels}, at::kFloat),
            r.plain({channels}, at::kFloat),
            axis,
            kLowest,
            kHighest,
            1.0};
}
/// grad, and the arguments of the forward
template <Values (*forward)(Random&)>
Values quantizedBackward(Random& r) {
    Values arguments = forward(r);
    const Sizes sizes = arguments[0].toTensor().sizes().vec();
    arguments.insert(arguments.begin(), r.tensor(sizes, at::kFloat));
    return arguments;
}

Values fakeQuantizedChannels(Random& r) {
    Values arguments = quantizedChannels(r);
    arguments[2] = arguments[2].toTensor().to(at::kInt);
    arguments.pop_back();
    return arguments;
}

/// The observer and the quantization may each be off.
Values movingAverage(Random& r) {
    const bool channels = r.coin();
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(2, 4)), 1, 4);
    const Sizes scales = {channels ? sizes[0] : 1};
    const auto on = [&] { return r.plain({1}, at::kLong).fill_(r.number(0, 1)); };
    return {r.tensor(sizes, at::kFloat),
            on(),
            on(),
            r.plain(scales, at::kFloat),
            r.plain(scales, at::kFloat),
            r.plain(scales, at::kFloat),
            r.plain(scales, at::kInt),
            0.01,
            kLowest,
            kHighest,
            int64_t{0},
            channels,
            r.coin()};
}

Values int8Product(Random& r) {
    const int64_t rows = r.number(1, 4), columns = 32 * r.number(1, 2), outputs = 8 * r.number(1, 3);
    const auto type = r.oneOf({at::kFloat, at::kBFloat16});
    return {r.plain({rows, columns}, type), r.plain({outputs, columns}, at::kChar), r.plain({outputs}, type)};
}
Values int4Weight(Random& r) {
    return {r.plain({16 * r.number(1, 3), 16 * r.number(2, 4)}, at::kInt), r.oneOf<int64_t>({2, 4, 8})};
}
Values int4Product(Random& r) {
    constexpr int64_t kGroup = 32;
    const int64_t rows = r.number(1, 4), outputs = 16 * r.number(1, 3), groups = r.number(1, 3);
    const auto type = r.oneOf({at::kFloat, at::kBFloat16});
    return {r.plain({rows, groups * kGroup}, type), r.plain({outputs, groups * kGroup / 2}, at::kByte), kGroup,
            r.plain({groups, outputs, 2}, type)};
}

at::Tensor eightBits(const Sizes& sizes) { return at::empty(sizes, at::kFloat).fill_(1).to(at::kFloat8_e4m3fn); }

Values scaledProduct(Random& r) {
    const int64_t rows = 16 * r.number(1, 2), inner = 16 * r.number(1, 2), columns = 16 * r.number(1, 2);
    const at::Tensor scale = r.plain({}, at::kFloat);
    return {eightBits({rows, inner}),
            eightBits({columns, inner}).t(),
            scale,
            scale,
            c10::IValue(),
            c10::IValue(),
            r.oneOf<c10::IValue>({at::kFloat, at::kBFloat16}),
            false};
}

}  // namespace

Generators quantizationGenerators() {
    return {
        {"aten::fake_quantize_per_channel_affine_cachemask", {fakeQuantizedChannels}},
        {"aten::_fake_quantize_learnable_per_tensor_affine", {quantizedTensor}},
        {"aten::_fake_quantize_learnable_per_tensor_affine_backward", {quantizedBackward<quantizedTensor>}},
        {"aten::_fake_quantize_learnable_per_channel_affine", {quantizedChannels}},
        {"aten::_fused_moving_avg_obs_fq_helper", {movingAverage}},
        {"aten::_fused_moving_avg_obs_fq_helper_functional", {movingAverage}},
        {"aten::_weight_int8pack_mm", {int8Product}},
        {"aten::_weight_int4pack_mm_for_cpu", {int4Product}},
        {"aten::_convert_weight_to_int4pack_for_cpu", {int4Weight}},
        {"aten::_scaled_mm", {scaledProduct}},
    };
}

}  // namespace aotscope::test
