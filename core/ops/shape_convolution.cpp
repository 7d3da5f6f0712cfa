#include "ops/shape_rules.h"
#include "trace/fake_tensor.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

namespace aotscope {

namespace {

using Ints = std::vector<int64_t>;

/// Convolution kernels answer in channels-last if the input or the weight is stored that way; those of three
/// dimensions with holes (dilation) do not.
at::MemoryFormat convolutionFormat(const at::Tensor& input, const at::Tensor& weight, const Ints& dilation) {
    const bool holes = std::any_of(dilation.begin(), dilation.end(), [](int64_t d) { return d > 1; });
    if (weight.dim() == 5 && holes) return at::MemoryFormat::Contiguous;
    for (const at::Tensor& t : {input, weight}) {
        const auto format = t.suggest_memory_format();
        if (format == at::MemoryFormat::ChannelsLast || format == at::MemoryFormat::ChannelsLast3d) return format;
    }
    return at::MemoryFormat::Contiguous;
}

at::Tensor allocate(c10::IntArrayRef sizes, const at::Tensor& like, at::MemoryFormat format) {
    return at::empty(sizes, like.options().memory_format(format));
}

int64_t at_(const Ints& values, std::size_t i) { return values.size() == 1 ? values[0] : values[i]; }

/// Arguments: input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ...
std::vector<c10::IValue> convolution(const RuleCall& call) {
    const at::Tensor input = call.tensor(0), weight = call.tensor(1);
    const Ints stride = call.args[3].toIntVector(), padding = call.args[4].toIntVector(),
               dilation = call.args[5].toIntVector(), outputPadding = call.args[7].toIntVector();
    const bool transposed = call.args[6].toBool();
    const int64_t groups = call.args[8].toInt();
    const auto spatial = static_cast<std::size_t>(weight.dim() - 2);
    TORCH_CHECK(input.dim() == weight.dim() || input.dim() + 1 == weight.dim(), "convolution: expected an input of ",
                weight.dim() - 1, " or ", weight.dim(), " dimensions for a weight of sizes ", weight.sizes(),
                ", found sizes ", input.sizes());
    const bool batched = input.dim() == weight.dim();
    const int64_t first = batched ? 1 : 0;
    const int64_t inChannels = transposed ? weight.size(0) : weight.size(1) * groups;
    TORCH_CHECK(input.size(first) == inChannels, "convolution: the weight of sizes ", weight.sizes(),
                " with groups=", groups, " expects an input with ", inChannels, " channels, found an input of sizes ",
                input.sizes());

    Ints sizes;
    if (batched) sizes.push_back(input.size(0));
    sizes.push_back(transposed ? weight.size(1) * groups : weight.size(0));
    for (std::size_t i = 0; i < spatial; ++i) {
        const int64_t in = input.size(first + 1 + static_cast<int64_t>(i)),
                      k = weight.size(2 + static_cast<int64_t>(i));
        const int64_t span = at_(dilation, i) * (k - 1);
        const int64_t out = transposed
                                ? (in - 1) * at_(stride, i) - 2 * at_(padding, i) + span + at_(outputPadding, i) + 1
                                : (in + 2 * at_(padding, i) - span - 1) / at_(stride, i) + 1;
        TORCH_CHECK(in + 2 * at_(padding, i) > span || transposed, "convolution: kernel of ", k,
                    " does not fit a padded input of ", in + 2 * at_(padding, i));
        sizes.push_back(out);
    }
    return {allocate(sizes, input, batched ? convolutionFormat(input, weight, dilation) : at::MemoryFormat::Contiguous)};
}

/// Arguments: grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
/// mask.
std::vector<c10::IValue> convolutionBackward(const RuleCall& call) {
    const at::Tensor grad = call.tensor(0), input = call.tensor(1), weight = call.tensor(2);
    const auto mask = call.args[10].toBoolList();
    const auto format = convolutionFormat(input, weight, call.args[6].toIntVector());
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
