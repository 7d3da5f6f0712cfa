#include "ops/shapes/rule_results.h"

#include <ATen/Context.h>
#include <ATen/WrapDimUtils.h>

#include <algorithm>

namespace aotscope {

namespace {

using Sizes = std::vector<int64_t>;

/// MKL returns the batch in the order of the input's strides, and the transformed dimensions last, in the given order.
at::Tensor transformed(const at::Tensor& input, const Sizes& sizes, const Sizes& dims, at::ScalarType type) {
    if (!at::hasMKL()) return contiguous(sizes, input, type);
    Sizes order;
    for (int64_t d = 0; d < input.dim(); ++d)
        if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(d);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return input.stride(a) > input.stride(b); });
    order.insert(order.end(), dims.begin(), dims.end());
    Sizes permuted, inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        permuted.push_back(sizes[static_cast<std::size_t>(order[i])]);
        inverse[static_cast<std::size_t>(order[i])] = static_cast<int64_t>(i);
    }
    return contiguous(permuted, input, type).permute(inverse);
}

Sizes wrapped(const at::Tensor& input, const c10::IValue& value) {
    Sizes dims = value.toIntVector();
    for (auto& dim : dims) dim = c10::maybe_wrap_dim(dim, input.dim());
    return dims;
}

/// Dimensions in the order in which MKL transforms them: largest stride first.
Sizes byStride(const at::Tensor& input, Sizes dims, bool keepLast) {
    std::sort(dims.begin(), dims.end() - (keepLast ? 1 : 0),
              [&](int64_t a, int64_t b) { return input.stride(a) > input.stride(b); });
    return dims;
}

/// input, dim, normalization, onesided
Results realToComplex(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(c10::isFloatingType(input.scalar_type()), "_fft_r2c: expected a real floating-point input, found ",
                input.scalar_type());
    const Sizes dims = wrapped(input, call.args[1]);
    Sizes sizes = input.sizes().vec();
    if (call.args[3].toBool()) {
        auto& last = sizes[static_cast<std::size_t>(dims.back())];
        last = last / 2 + 1;
    }
    return {transformed(input, sizes, byStride(input, dims, true), c10::toComplexType(input.scalar_type()))};
}

/// input, dim, normalization, forward
Results complexToComplex(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.is_complex(), "_fft_c2c: expected a complex input, found ", input.scalar_type());
    const Sizes dims = wrapped(input, call.args[1]);
    if (dims.empty()) return {preserved(input)};
    return {transformed(input, input.sizes().vec(), byStride(input, dims, false), input.scalar_type())};
}

/// input, dim, normalization, size of the last dimension
Results complexToReal(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.is_complex(), "_fft_c2r: expected a complex input, found ", input.scalar_type());
    const Sizes dims = wrapped(input, call.args[1]);
    Sizes sizes = input.sizes().vec();
    sizes[static_cast<std::size_t>(dims.back())] = call.args[3].toInt();
    at::Tensor source = input;
    if (dims.size() > 1 && at::hasMKL()) {
        const Sizes others(dims.begin(), dims.end() - 1);
        source = transformed(input, input.sizes().vec(), byStride(input, others, false), input.scalar_type());
    }
    return {transformed(source, sizes, {dims.back()}, realType(input.scalar_type()))};
}

}  // namespace

std::vector<ShapeRuleRow> spectralRules() {
    return {
        {"aten::_fft_r2c", realToComplex},
        {"aten::_fft_c2c", complexToComplex},
        {"aten::_fft_c2r", complexToReal},
    };
}

}  // namespace aotscope
