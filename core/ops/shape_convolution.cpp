#include "ops/shape_rules.h"
#include "trace/fake_tensor.h"

#include <ATen/native/ConvUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>

namespace aotscope {

namespace {

using Ints = std::vector<int64_t>;

/// Same sizes and strides on `device`, without memory: LibTorch's choice of a convolution kernel looks at no more.
at::Tensor withoutMemory(const at::Tensor& meta, c10::Device device) {
    return at::for_blob(nullptr, meta.sizes())
        .strides(meta.strides())
        .options(meta.options().device(device))
        .target_device(device)
        .make_tensor();
}

/// What decides which kernel runs.
struct ConvolutionCall {
    Ints stride, padding, dilation;
    bool transposed;
    Ints outputPadding;
    int64_t groups;

    /// Reads the arguments from `stride` on, which come in one order in the forward and the backward.
    ConvolutionCall(c10::ArrayRef<c10::IValue> args, std::size_t first)
        : stride(args[first].toIntVector()),
          padding(args[first + 1].toIntVector()),
          dilation(args[first + 2].toIntVector()),
          transposed(args[first + 3].toBool()),
          outputPadding(args[first + 4].toIntVector()),
          groups(args[first + 5].toInt()) {}
};

/// The memory format that the kernel answers in.
at::MemoryFormat convolutionFormat(const ConvolutionCall& c, const at::Tensor& input, const at::Tensor& weight,
                                   const at::Tensor& bias, c10::Device device) {
    const at::Tensor realInput = withoutMemory(input, device), realWeight = withoutMemory(weight, device);
    const at::Tensor realBias = bias.defined() ? withoutMemory(bias, device) : at::Tensor();
    const auto backend = at::native::select_conv_backend(
        realInput, realWeight, realBias, c10::fromIntArrayRefSlow(c.stride), c10::fromIntArrayRefSlow(c.padding),
        c10::fromIntArrayRefSlow(c.dilation), c.transposed, c10::fromIntArrayRefSlow(c.outputPadding), c.groups,
        realBias.defined() ? at::OptionalSymIntArrayRef(realBias.sym_sizes()) : std::nullopt);
    return at::native::_determine_backend_memory_format(realInput, realWeight, backend);
}

at::Tensor allocate(c10::IntArrayRef sizes, const at::Tensor& like, at::MemoryFormat format) {
    return at::empty(sizes, like.options().memory_format(format));
}

int64_t at_(const Ints& values, std::size_t i) { return values.size() == 1 ? values[0] : values[i]; }

/// Arguments: input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ...
std::vector<c10::IValue> convolution(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), weight = call.tensor(1);
    const ConvolutionCall c(call.args, 3);
    const auto spatial = static_cast<std::size_t>(weight.dim() - 2);
    TORCH_CHECK(input.dim() == weight.dim() || input.dim() + 1 == weight.dim(), "convolution: expected an input of ",
                weight.dim() - 1, " or ", weight.dim(), " dimensions for a weight of sizes ", weight.sizes(),
                ", found sizes ", input.sizes());
    const bool batched = input.dim() == weight.dim();
    const int64_t first = batched ? 1 : 0;
    const int64_t inChannels = c.transposed ? weight.size(0) : weight.size(1) * c.groups;
    TORCH_CHECK(input.size(first) == inChannels, "convolution: the weight of sizes ", weight.sizes(),
                " with groups=", c.groups, " expects an input with ", inChannels, " channels, found an input of sizes ",
                input.sizes());

    Ints sizes;
    if (batched) sizes.push_back(input.size(0));
    sizes.push_back(c.transposed ? weight.size(1) * c.groups : weight.size(0));
    for (std::size_t i = 0; i < spatial; ++i) {
        const int64_t in = input.size(first + 1 + static_cast<int64_t>(i)),
                      k = weight.size(2 + static_cast<int64_t>(i));
        const int64_t span = at_(c.dilation, i) * (k - 1);
        const int64_t out =
            c.transposed ? (in - 1) * at_(c.stride, i) - 2 * at_(c.padding, i) + span + at_(c.outputPadding, i) + 1
                         : (in + 2 * at_(c.padding, i) - span - 1) / at_(c.stride, i) + 1;
        TORCH_CHECK(in + 2 * at_(c.padding, i) > span || c.transposed, "convolution: kernel of ", k,
                    " does not fit a padded input of ", in + 2 * at_(c.padding, i));
        sizes.push_back(out);
    }
    if (!batched) return {allocate(sizes, input, at::MemoryFormat::Contiguous)};
    return {allocate(sizes, input, convolutionFormat(c, input, weight, call.tensor(2), call.device))};
}

/// Arguments: grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
/// mask.
std::vector<c10::IValue> convolutionBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0), input = call.tensor(1), weight = call.tensor(2);
    const auto mask = call.args[10].toBoolList();
    const auto format = convolutionFormat(ConvolutionCall(call.args, 4), input, weight, {}, call.device);
    std::vector<c10::IValue> results(3, at::Tensor());
    if (mask[0]) results[0] = allocate(input.sizes(), input, format);
    if (mask[1]) results[1] = allocate(weight.sizes(), weight, format);
    if (mask[2]) results[2] = at::empty({grad.size(1)}, grad.options());
    return results;
}

Ints pooledSizes(const RuleCall& call) {
    const Ints output = call.args[1].toIntVector();
    Ints sizes = call.tensor(0).sizes().vec();
    for (std::size_t i = 0; i < output.size(); ++i) sizes[sizes.size() - output.size() + i] = output[i];
    return sizes;
}

std::vector<c10::IValue> adaptiveAveragePool(const RuleCall& call) {
    return {allocate(pooledSizes(call), call.tensor(0), call.tensor(0).suggest_memory_format())};
}

/// The kernels of three dimensions know one format only.
std::vector<c10::IValue> adaptiveAveragePool3d(const RuleCall& call) {
    return {allocate(pooledSizes(call), call.tensor(0), at::MemoryFormat::Contiguous)};
}

std::vector<c10::IValue> adaptiveAveragePool3dBackward(const RuleCall& call) {
    return {allocate(call.tensor(1).sizes(), call.tensor(1), at::MemoryFormat::Contiguous)};
}

std::vector<c10::IValue> adaptiveAveragePoolBackward(const RuleCall& call) {
    const at::Tensor input = call.tensor(1);
    return {allocate(input.sizes(), input, input.suggest_memory_format())};
}

}  // namespace

std::vector<ShapeRuleRow> convolutionRules() {
    return {
        {"aten::convolution", convolution},
        {"aten::_convolution", convolution},
        {"aten::convolution_overrideable", convolution},
        {"aten::convolution_backward", convolutionBackward},
        {"aten::_adaptive_avg_pool2d", adaptiveAveragePool},
        {"aten::_adaptive_avg_pool3d", adaptiveAveragePool3d},
        {"aten::_adaptive_avg_pool2d_backward", adaptiveAveragePoolBackward},
        {"aten::_adaptive_avg_pool3d_backward", adaptiveAveragePool3dBackward},
    };
}

}  // namespace aotscope
