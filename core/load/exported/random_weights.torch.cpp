#include "load/exported/random_weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include <cmath>

namespace aotscope {

namespace {

/// FNV-1a: equal on every machine.
std::uint64_t hashOf(const std::string& text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return hash;
}

/// The fan-in: the product of all dimensions except the first.
double inputsPerOutput(const at::Tensor& weight) {
    return std::max(1.0,
                    static_cast<double>(weight.numel()) / static_cast<double>(std::max<int64_t>(weight.size(0), 1)));
}

}  // namespace

void fillWithRandomWeights(const at::Tensor& tensor, const std::string& name) {
    const at::NoGradGuard noGrad;
    if (tensor.numel() == 0) return;
    if (!tensor.is_floating_point() && !tensor.is_complex()) {
        if (name.ends_with("position_ids") && tensor.dim() > 0 && tensor.scalar_type() != at::kBool)
            tensor.copy_(at::arange(tensor.size(-1), tensor.options()).expand_as(tensor));
        else tensor.zero_();
        return;
    }
    const bool one = name.ends_with("running_var") || (tensor.dim() == 1 && name.ends_with("weight"));
    if (one) {
        tensor.fill_(1);
    } else if (tensor.dim() < 2) {
        tensor.zero_();
    } else {
        const at::Tensor values = at::empty(tensor.sizes(), at::kFloat);
        values.normal_(0, 1 / std::sqrt(inputsPerOutput(tensor)), at::detail::createCPUGenerator(hashOf(name)));
        tensor.copy_(values);
    }
}

}  // namespace aotscope
