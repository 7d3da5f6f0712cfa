#include "support/outcomes.h"
#include "support/rule_arguments.h"

namespace aotscope::test {

namespace {

Values convolution(Random& r) {
    const auto spatial = static_cast<std::size_t>(r.number(1, 3));
    const int64_t groups = r.oneOf<int64_t>({1, 1, 2}), in = groups * r.number(1, 3), out = groups * r.number(1, 3);
    const bool transposed = r.number(0, 3) == 0;
    const auto type = r.floating();
    Sizes input = {r.number(1, 3), in}, weight = transposed ? Sizes{in, out / groups} : Sizes{out, in / groups};
    for (std::size_t i = 0; i < spatial; ++i) {
        input.push_back(r.number(5, 9));
        weight.push_back(r.number(1, 3));
    }
    const Sizes stride = r.sizes(spatial, 1, 2), padding = r.sizes(spatial, 0, 1), dilation = r.sizes(spatial, 1, 2);
    const Sizes outputPadding(spatial, 0);
    return {r.tensor(input, type),
            r.tensor(weight, type),
            r.maybe(r.plain({out}, type)),
            stride,
            padding,
            dilation,
            transposed,
            outputPadding,
            groups};
}

Values convolutionWithSwitches(Random& r) {
    Values arguments = convolution(r);
    for (int i = 0; i < 4; ++i) arguments.emplace_back(false);
    return arguments;
}

Values convolutionBackward(Random& r) {
    Values arguments = convolution(r);
    const at::Tensor output = call("aten::convolution", arguments).at(0).toTensor();
    arguments.insert(arguments.begin(), r.tensor(output.sizes().vec(), output.scalar_type()));
    arguments[3] = r.coin() ? c10::IValue(Sizes{output.size(1)}) : c10::IValue();
    // The gradient of the bias is requested only if there is a bias.
    arguments.emplace_back(c10::List<bool>({r.coin(), r.coin(), !arguments[3].isNone()}));
    return arguments;
}

/// input, weight, kernel_size, bias, stride, padding: arguments of the kernels behind convolutions
template <int rank>
Values kernelOfConvolution(Random& r, bool transposed) {
    const int64_t in = r.number(1, 3), out = r.number(1, 3);
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const Sizes kernel = r.sizes(rank, 1, 3);
    Sizes input = {r.number(1, 3), in}, weight = transposed ? Sizes{in, out} : Sizes{out, in};
    for (const int64_t size : kernel) {
        input.push_back(r.number(5, 8));
        weight.push_back(size);
    }
    return {r.tensor(input, type),         r.tensor(weight, type), kernel,
            r.maybe(r.plain({out}, type)), r.sizes(rank, 1, 2),    r.sizes(rank, 0, 1)};
}
template <int rank>
Values denseKernel(Random& r) {
    return kernelOfConvolution<rank>(r, false);
}
Values denseKernelBackward(Random& r) {
    const Values a = denseKernel<2>(r);
    const at::Tensor output = call("aten::_slow_conv2d_forward", a)[0].toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()), a[0], a[1], a[2], a[4], a[5],
            c10::List<bool>({r.coin(), r.coin(), r.coin()})};
}
template <int rank>
Values dilatedKernel(Random& r) {
    Values a = denseKernel<rank>(r);
    a.emplace_back(r.sizes(rank, 1, 2));
    return a;
}
template <int rank>
Values transposedKernel(Random& r) {
    Values a = kernelOfConvolution<rank>(r, true);
    a.emplace_back(Sizes(rank, 0));
    a.emplace_back(r.sizes(rank, 1, 2));
    return a;
}

}  // namespace

Generators convolutionGenerators() {
    return {
        {"aten::convolution", {convolution}},
        {"aten::_convolution", {convolutionWithSwitches}},
        {"aten::convolution_overrideable", {convolution, "aten::convolution"}},
        {"aten::convolution_backward", {convolutionBackward}},
        {"aten::_slow_conv2d_forward", {denseKernel<2>}},
        {"aten::_slow_conv2d_backward.output_mask", {denseKernelBackward}},
        {"aten::slow_conv3d_forward", {denseKernel<3>}},
        {"aten::slow_conv_dilated2d", {dilatedKernel<2>}},
        {"aten::slow_conv_dilated3d", {dilatedKernel<3>}},
        {"aten::slow_conv_transpose2d", {transposedKernel<2>}},
        {"aten::slow_conv_transpose3d", {transposedKernel<3>}},
    };
}

}  // namespace aotscope::test
