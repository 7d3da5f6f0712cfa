// Pooling, padding, sampling and unfolding. A spatial input also has a channel dimension, and possibly a batch
// dimension.

#include "ops/shapes/rule_results.h"

#include <ATen/native/Pool.h>
#include <ATen/ops/pixel_shuffle_native.h>
#include <ATen/ops/pixel_unshuffle_native.h>

namespace aotscope {

namespace {

using Sizes = std::vector<int64_t>;

void requireSpatial(const at::Tensor& input, int64_t rank, const char* name) {
    TORCH_CHECK(input.dim() == rank + 1 || input.dim() == rank + 2, name, "(): Expected ", rank + 1, "D or ", rank + 2,
                "D (batch mode) tensor, found sizes ", input.sizes());
}

/// The sizes of `input` with its last ones replaced.
Sizes withSpatial(const at::Tensor& input, c10::IntArrayRef spatial) {
    Sizes sizes = input.sizes().vec();
    std::copy(spatial.rbegin(), spatial.rend(), sizes.rbegin());
    return sizes;
}

template <int rank>
Sizes adaptivePoolSizes(const RuleCall& call) {
    const Sizes output = call.args[1].toIntVector();
    requireSpatial(call.tensor(0), rank, "adaptive_avg_pool");
    TORCH_CHECK(output.size() == static_cast<std::size_t>(rank), "adaptive_avg_pool: output_size must be ", rank,
                " numbers, found ", output.size());
    return withSpatial(call.tensor(0), output);
}

Results adaptiveAveragePool(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    return {formatted(adaptivePoolSizes<2>(call), input, input.suggest_memory_format())};
}
/// Three-dimensional kernels support only one format.
Results adaptiveAveragePool3d(const RuleCall& call) { return {contiguous(adaptivePoolSizes<3>(call), call.tensor(0))}; }

/// Like the argument at position 1, in its memory format.
Results secondSuggested(const RuleCall& call) { return {suggested(call.tensor(1))}; }

/// input, kernel_size, stride, padding, dilation, ceil_mode: values and positions
Results maxPool3d(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    requireSpatial(input, 3, "max_pool3d_with_indices");
    const auto three = [&](std::size_t i) {
        const Sizes given = call.args[i].toIntVector();
        return given.size() == 1 ? Sizes(3, given[0]) : given;
    };
    const Sizes kernel = three(1), stride = call.args[2].toIntVector().empty() ? kernel : three(2), padding = three(3),
                dilation = three(4);
    Sizes spatial;
    for (std::size_t i = 0; i < 3; ++i) {
        TORCH_CHECK(kernel[i] > 0 && stride[i] > 0 && dilation[i] > 0 && padding[i] <= kernel[i] / 2,
                    "max_pool3d: kernel, stride and dilation should be greater than zero and pad at most half of the "
                    "kernel size");
        spatial.push_back(at::native::pooling_output_shape<int64_t>(input.size(static_cast<int64_t>(i) - 3), kernel[i],
                                                                    padding[i], stride[i], dilation[i],
                                                                    call.args[5].toBool()));
        TORCH_CHECK(spatial.back() > 0, "max_pool3d: output size is too small for input sizes ", input.sizes());
    }
    const auto format = input.dim() == 5 ? input.suggest_memory_format() : at::MemoryFormat::Contiguous;
    const at::Tensor values = formatted(withSpatial(input, spatial), input, format);
    return {values, preserved(values, at::kLong)};
}

/// input, indices, output_size
template <int rank>
Results maxUnpool(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    requireSpatial(input, rank, "max_unpool");
    TORCH_CHECK(input.sizes() == call.tensor(1).sizes(), "max_unpool: expected shape of indices to be ", input.sizes(),
                ", found ", call.tensor(1).sizes());
    const Sizes sizes = withSpatial(input, call.args[2].toIntVector());
    return {formatted(sizes, input, rank == 2 ? input.suggest_memory_format() : at::MemoryFormat::Contiguous)};
}

/// input, padding: pairs from the last dimension on
template <int rank>
at::Tensor padded(const RuleCall& call, bool reflects) {
    const at::Tensor input = call.tensor(0);
    const Sizes padding = call.args[1].toIntVector();
    requireSpatial(input, rank, "padding");
    Sizes spatial;
    for (std::size_t i = rank; i-- > 0;) {
        const int64_t size = input.size(-1 - static_cast<int64_t>(i)), before = padding[2 * i],
                      after = padding[2 * i + 1];
        TORCH_CHECK(!reflects || (before < size && after < size),
                    "Padding size should be less than the corresponding input dimension, but got: padding (", before,
                    ", ", after, ") at dimension of size ", size);
        spatial.push_back(size + before + after);
        TORCH_CHECK(spatial.back() >= 1, "input of sizes ", input.sizes(), " is too small for this padding");
    }
    return formatted(withSpatial(input, spatial), input, input.suggest_memory_format());
}
template <int rank>
Results reflectionPad(const RuleCall& call) {
    return {padded<rank>(call, true)};
}
template <int rank>
Results replicationPad(const RuleCall& call) {
    return {padded<rank>(call, false)};
}

/// input, grid, ...
template <int rank>
Results gridSampler(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), grid = call.tensor(1);
    TORCH_CHECK(
        input.dim() == rank + 2 && grid.dim() == rank + 2 && grid.size(-1) == rank && grid.size(0) == input.size(0),
        "grid_sampler(): expected grid to have the input's batch size and size ", rank,
        " in last dimension, but got input with sizes ", input.sizes(), " and grid with sizes ", grid.sizes());
    return {contiguous(withSpatial(input, grid.sizes().slice(1, rank)), input)};
}

/// grad_output, input, grid, interpolation, padding, align_corners, mask
Results gridSamplerBackward(const RuleCall& call) {
    const at::Tensor input = call.tensor(1), grid = call.tensor(2);
    const auto mask = call.args[6].toBoolList();
    return {mask[0] ? contiguous(input.sizes(), input) : at::Tensor(), contiguous(grid.sizes(), grid)};
}

/// The same without a mask, for inputs whose indices do not fit in 32 bits.
Results gridSamplerFallbackBackward(const RuleCall& call) {
    return {contiguous(call.tensor(1).sizes(), call.tensor(1)), contiguous(call.tensor(2).sizes(), call.tensor(2))};
}

/// The number of positions of a sliding window.
int64_t blocks(const RuleCall& call, c10::IntArrayRef size, std::size_t first) {
    const Sizes kernel = call.args[first].toIntVector(), dilation = call.args[first + 1].toIntVector(),
                padding = call.args[first + 2].toIntVector(), stride = call.args[first + 3].toIntVector();
    int64_t count = 1;
    for (std::size_t i = 0; i < 2; ++i) {
        TORCH_CHECK(kernel[i] > 0 && dilation[i] > 0 && stride[i] > 0,
                    "kernel, dilation and stride should be greater than zero");
        const int64_t span = size[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1;
        TORCH_CHECK(span >= 0, "the sliding blocks of kernel_size=", c10::IntArrayRef(kernel),
                    " do not fit into a spatial size of ", size);
        count *= span / stride[i] + 1;
    }
    return count;
}

/// input, kernel_size, dilation, padding, stride
Results im2col(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    requireSpatial(input, 2, "im2col");
    const Sizes kernel = call.args[1].toIntVector();
    Sizes sizes = {input.size(-3) * kernel[0] * kernel[1], blocks(call, input.sizes().slice(input.dim() - 2), 1)};
    if (input.dim() == 4) sizes.insert(sizes.begin(), input.size(0));
    return {contiguous(sizes, input)};
}

/// input, output_size, kernel_size, dilation, padding, stride
Results col2im(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.dim() == 2 || input.dim() == 3, "col2im: Expected 2D or 3D (batch mode) tensor, found sizes ",
                input.sizes());
    const Sizes size = call.args[1].toIntVector(), kernel = call.args[2].toIntVector();
    const int64_t window = kernel[0] * kernel[1], count = blocks(call, size, 2);
    TORCH_CHECK(window > 0 && input.size(-2) % window == 0 && input.size(-1) == count, "col2im: expected sizes (",
                "multiple of ", window, ", ", count, "), found ", input.sizes());
    Sizes sizes = {input.size(-2) / window, size[0], size[1]};
    if (input.dim() == 3) sizes.insert(sizes.begin(), input.size(0));
    return {contiguous(sizes, input)};
}

/// grad, input_sizes, ...
Results unfoldBackward(const RuleCall& call) { return {contiguous(call.args[1].toIntVector(), call.tensor(0))}; }

Results channelShuffle(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const int64_t groups = call.args[1].toInt();
    TORCH_CHECK(input.dim() > 2 && groups > 0 && input.size(1) % groups == 0,
                "channel_shuffle expects channels that are divisible by groups=", groups, ", found sizes ",
                input.sizes());
    return {suggested(input)};
}

/// The shape of LibTorch's composite is right; the CPU kernel keeps the memory format.
Results pixelShuffle(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const at::Tensor shuffled = at::native::math_pixel_shuffle(input, call.args[1].toInt());
    return {formatted(shuffled.sizes(), input, input.suggest_memory_format())};
}
Results pixelUnshuffle(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const at::Tensor shuffled = at::native::math_pixel_unshuffle(input, call.args[1].toInt());
    return {formatted(shuffled.sizes(), input, input.suggest_memory_format())};
}

}  // namespace

std::vector<ShapeRuleRow> spatialRules() {
    return {
        {"aten::_adaptive_avg_pool2d", adaptiveAveragePool},
        {"aten::_adaptive_avg_pool3d", adaptiveAveragePool3d},
        {"aten::_adaptive_avg_pool2d_backward", secondSuggested},
        {"aten::_adaptive_avg_pool3d_backward", secondContiguousRule},
        {"aten::max_pool3d_with_indices", maxPool3d},
        {"aten::max_pool3d_with_indices_backward", secondSuggested},
        {"aten::fractional_max_pool3d_backward", secondContiguousRule},
        {"aten::max_unpool2d", maxUnpool<2>},
        {"aten::max_unpool3d", maxUnpool<3>},
        {"aten::reflection_pad2d", reflectionPad<2>},
        {"aten::reflection_pad3d", reflectionPad<3>},
        {"aten::replication_pad2d", replicationPad<2>},
        {"aten::replication_pad3d", replicationPad<3>},
        {"aten::reflection_pad2d_backward", secondSuggested},
        {"aten::reflection_pad3d_backward", secondSuggested},
        {"aten::replication_pad2d_backward", secondSuggested},
        {"aten::replication_pad3d_backward", secondSuggested},
        {"aten::grid_sampler_2d", gridSampler<2>},
        {"aten::grid_sampler_3d", gridSampler<3>},
        {"aten::_grid_sampler_2d_cpu_fallback", gridSampler<2>},
        {"aten::_grid_sampler_2d_cpu_fallback_backward", gridSamplerFallbackBackward},
        {"aten::grid_sampler_2d_backward", gridSamplerBackward},
        {"aten::grid_sampler_3d_backward", gridSamplerBackward},
        {"aten::im2col", im2col},
        {"aten::col2im", col2im},
        {"aten::unfold_backward", unfoldBackward},
        {"aten::channel_shuffle", channelShuffle},
        {"aten::pixel_shuffle", pixelShuffle},
        {"aten::pixel_unshuffle", pixelUnshuffle},
    };
}

}  // namespace aotscope
