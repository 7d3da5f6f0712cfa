#include "aten/fake_tensor.h"
#include "ops/shapes/rules.h"

#include <ATen/native/ConvUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>

namespace aotscope {

namespace {

using Ints = std::vector<int64_t>;

/// Same sizes and strides on `device`, without memory: LibTorch needs no more to choose a convolution kernel.
at::Tensor withoutMemory(const at::Tensor& meta, c10::Device device) {
    return at::for_blob(nullptr, meta.sizes())
        .strides(meta.strides())
        .options(meta.options().device(device))
        .target_device(device)
        .make_tensor();
}

at::Tensor allocate(c10::IntArrayRef sizes, const at::Tensor& like, at::MemoryFormat format) {
    return at::empty(sizes, like.options().memory_format(format));
}

int64_t at_(const Ints& values, std::size_t i) { return values.size() == 1 ? values[0] : values[i]; }

/// Determines which kernel runs, and the memory format of its result. A one-dimensional convolution becomes
/// two-dimensional, as in LibTorch.
struct Convolution {
    at::Tensor input, weight;
    Ints stride, padding, dilation;
    bool transposed;
    Ints outputPadding;
    int64_t groups;
    bool flat;

    /// Reads the arguments from `first`, the stride, on: forward and backward have them in the same order.
    Convolution(const at::Tensor& x, const at::Tensor& w, c10::ArrayRef<c10::IValue> args, std::size_t first)
        : input(x),
          weight(w),
          stride(args[first].toIntVector()),
          padding(args[first + 1].toIntVector()),
          dilation(args[first + 2].toIntVector()),
          transposed(args[first + 3].toBool()),
          outputPadding(args[first + 4].toIntVector()),
          groups(args[first + 5].toInt()),
          flat(x.dim() == 3 && w.dim() == 3) {
        if (!flat) return;
        input = input.contiguous().unsqueeze(2);
        weight = weight.unsqueeze(2);
        for (Ints* ones : {&stride, &dilation}) ones->insert(ones->begin(), 1);
        for (Ints* zeros : {&padding, &outputPadding}) zeros->insert(zeros->begin(), 0);
    }

    /// Throws LibTorch's own error if the shapes do not match.
    at::MemoryFormat format(const at::Tensor& bias, c10::Device device) const {
        const at::Tensor x = withoutMemory(input, device), w = withoutMemory(weight, device);
        const at::Tensor b = bias.defined() ? withoutMemory(bias, device) : at::Tensor();
        const auto backend = at::native::select_conv_backend(
            x, w, b, c10::fromIntArrayRefSlow(stride), c10::fromIntArrayRefSlow(padding),
            c10::fromIntArrayRefSlow(dilation), transposed, c10::fromIntArrayRefSlow(outputPadding), groups,
            b.defined() ? at::OptionalSymIntArrayRef(b.sym_sizes()) : std::nullopt);
        return at::native::_determine_backend_memory_format(x, w, backend);
    }

    Ints outputSizes() const {
        Ints sizes = {input.size(0), transposed ? weight.size(1) * groups : weight.size(0)};
        for (std::size_t i = 0; i < static_cast<std::size_t>(weight.dim() - 2); ++i) {
            const auto dim = static_cast<int64_t>(i) + 2;
            const int64_t in = input.size(dim), pad = 2 * at_(padding, i),
                          span = at_(dilation, i) * (weight.size(dim) - 1);
            sizes.push_back(transposed ? (in - 1) * at_(stride, i) - pad + span + at_(outputPadding, i) + 1
                                       : (in + pad - span - 1) / at_(stride, i) + 1);
        }
        return sizes;
    }

    at::Tensor result(c10::IntArrayRef sizes, at::MemoryFormat format) const {
        const at::Tensor full = allocate(sizes, input, format);
        return flat ? full.squeeze(2) : full;
    }
};

/// Arguments: input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ...
std::vector<c10::IValue> convolution(const RuleCall& call) {
    const Convolution c(call.tensor(0), call.tensor(1), call.args, 3);
    const auto format = c.format(call.tensor(2), call.device);
    return {c.result(c.outputSizes(), format)};
}

/// Arguments: grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
/// mask.
std::vector<c10::IValue> convolutionBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0);
    const Convolution c(call.tensor(1), call.tensor(2), call.args, 4);
    const auto mask = call.args[10].toBoolList();
    const auto format = c.format({}, call.device);
    std::vector<c10::IValue> results(3, at::Tensor());
    if (mask[0]) results[0] = c.result(c.input.sizes(), format);
    if (mask[1]) results[1] = c.result(c.weight.sizes(), format);
    if (mask[2]) results[2] = at::empty({grad.size(1)}, grad.options());
    return results;
}

/// LibTorch's kernels support only one format for volumes.
at::MemoryFormat formatOfKernel(const at::Tensor& input, const at::Tensor& weight, c10::Device device) {
    const bool last = input.dim() == 4 && at::native::thnn_conv_use_channels_last(withoutMemory(input, device),
                                                                                  withoutMemory(weight, device));
    return last ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

/// A kernel that computes a convolution: input, weight, kernel_size, bias, stride, padding, ... The input may lack the
/// batch dimension.
std::vector<c10::IValue> kernelOfConvolution(const RuleCall& call, bool transposed, const c10::IValue& outputPadding,
                                             const c10::IValue& dilation) {
    const at::Tensor given = call.tensor(0), weight = call.tensor(1);
    const bool batch = given.dim() == weight.dim();
    TORCH_CHECK(weight.dim() >= 4 && (batch || given.dim() == weight.dim() - 1), "expected ", weight.dim(), "D or ",
                weight.dim() - 1, "D (unbatched) input for a weight of sizes ", weight.sizes(), ", found sizes ",
                given.sizes());
    const at::Tensor input = batch ? given : given.unsqueeze(0);
    const std::vector<c10::IValue> args = {call.args[4], call.args[5], dilation, transposed, outputPadding, int64_t{1}};
    const Convolution c(input, weight, args, 0);
    const at::Tensor output = allocate(c.outputSizes(), input, formatOfKernel(input, weight, call.device));
    return {batch ? output : output.squeeze(0)};
}

std::vector<c10::IValue> denseKernel(const RuleCall& call) {
    return kernelOfConvolution(call, false, Ints{0}, Ints{1});
}
std::vector<c10::IValue> dilatedKernel(const RuleCall& call) {
    return kernelOfConvolution(call, false, Ints{0}, call.args[6]);
}
std::vector<c10::IValue> transposedKernel(const RuleCall& call) {
    return kernelOfConvolution(call, true, call.args[6], call.args[7]);
}

/// grad_output, input, weight, kernel_size, stride, padding, mask
std::vector<c10::IValue> denseKernelBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0), input = call.tensor(1), weight = call.tensor(2);
    const auto format = formatOfKernel(input, weight, call.device);
    const auto mask = call.args[6].toBoolList();
    std::vector<c10::IValue> results(3, at::Tensor());
    if (mask[0]) results[0] = allocate(input.sizes(), input, format);
    if (mask[1]) results[1] = allocate(weight.sizes(), weight, format);
    if (mask[2]) results[2] = at::empty({grad.size(1)}, grad.options());
    return results;
}

}  // namespace

std::vector<ShapeRuleRow> convolutionRules() {
    return {
        {"aten::convolution", convolution},
        {"aten::_convolution", convolution},
        {"aten::convolution_overrideable", convolution},
        {"aten::convolution_backward", convolutionBackward},
        {"aten::_slow_conv2d_forward", denseKernel},
        {"aten::_slow_conv2d_backward.output_mask", denseKernelBackward},
        {"aten::slow_conv3d_forward", denseKernel},
        {"aten::slow_conv_dilated2d", dilatedKernel},
        {"aten::slow_conv_dilated3d", dilatedKernel},
        {"aten::slow_conv_transpose2d", transposedKernel},
        {"aten::slow_conv_transpose3d", transposedKernel},
        {"aten::_conv_depthwise2d", dilatedKernel},
        {"aten::conv_depthwise3d", dilatedKernel},
    };
}

}  // namespace aotscope
