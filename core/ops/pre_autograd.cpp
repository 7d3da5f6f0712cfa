#include "ops/pre_autograd.h"

#include "aten/version_kept.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/_native_batch_norm_legit.h>
#include <ATen/ops/_native_batch_norm_legit_no_training.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_dropout.h>

#include <string>
#include <unordered_map>

namespace aotscope {

namespace {

using torch::jit::drop;
using torch::jit::peek;
using torch::jit::Stack;

std::optional<at::Tensor> optionalTensor(const c10::IValue& value) {
    if (value.isNone() || !value.toTensor().defined()) return std::nullopt;
    return value.toTensor();
}

/// aten::dropout(input, p, train): native_dropout draws the same numbers and keeps a bool mask instead of a
/// floating-point one for the backward.
bool dropout(Stack& stack) {
    const double p = peek(stack, 1, 3).toDouble();
    const bool train = peek(stack, 2, 3).toBool();
    const at::Tensor input = peek(stack, 0, 3).toTensor();
    if (!train || p <= 0 || p >= 1 || input.numel() == 0) return false;
    drop(stack, 3);
    stack.emplace_back(std::get<0>(at::native_dropout(input, p, true)));
    return true;
}

/// aten::batch_norm on a GPU ends in an operation of cuDNN, which updates the running statistics without saying so.
bool batchNormOnGpu(Stack& stack) {
    const auto arg = [&](std::size_t i) -> const c10::IValue& { return peek(stack, i, 9); };
    const at::Tensor input = arg(0).toTensor();
    if (!input.is_cuda()) return false;
    const at::Tensor result = std::get<0>(at::native_batch_norm(input, optionalTensor(arg(1)), optionalTensor(arg(2)),
                                                                optionalTensor(arg(3)), optionalTensor(arg(4)),
                                                                arg(5).toBool(), arg(6).toDouble(), arg(7).toDouble()));
    drop(stack, 9);
    stack.emplace_back(result);
    return true;
}

/// aten::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps) updates the
/// running statistics without saying so in its schema; the _legit forms say it.
bool batchNorm(Stack& stack) {
    const auto arg = [&](std::size_t i) -> const c10::IValue& { return peek(stack, i, 8); };
    const at::Tensor input = arg(0).toTensor();
    const auto weight = optionalTensor(arg(1)), bias = optionalTensor(arg(2));
    auto mean = optionalTensor(arg(3)), var = optionalTensor(arg(4));
    const bool training = arg(5).toBool();
    const double momentum = arg(6).toDouble(), eps = arg(7).toDouble();
    if (mean.has_value() != var.has_value()) return false;
    std::tuple<at::Tensor, at::Tensor, at::Tensor> results;
    if (!mean) results = at::_native_batch_norm_legit(input, weight, bias, training, momentum, eps);
    else if (training) {
        const VersionKept keptMean(*mean), keptVar(*var);  // eager batch norm does not move them
        results = at::_native_batch_norm_legit(input, weight, bias, *mean, *var, training, momentum, eps);
    } else results = at::_native_batch_norm_legit_no_training(input, weight, bias, *mean, *var, momentum, eps);
    drop(stack, 8);
    stack.emplace_back(std::get<0>(results));
    stack.emplace_back(std::get<1>(results));
    stack.emplace_back(std::get<2>(results));
    return true;
}

/// Whether matmul folds the batch of its larger argument into one plain matrix product.
bool foldsBatch(const at::Tensor& a, const at::Tensor& b) {
    const auto& [larger, smaller] = a.dim() >= b.dim() ? std::tie(a, b) : std::tie(b, a);
    if (larger.dim() < 3 || smaller.dim() > 2) return false;
    if (smaller.requires_grad()) return true;
    if (a.dim() == 2) return false;
    return larger.numel() == 0 || larger.is_contiguous();
}

/// aten::matmul(a, b) of two batches: ends in a view, which partitioners recompute for free, where ATen's own
/// composite ends in _unsafe_view, which they do not.
bool batchedMatmul(Stack& stack) {
    const at::Tensor a = peek(stack, 0, 2).toTensor(), b = peek(stack, 1, 2).toTensor();
    if (a.dim() < 1 || b.dim() < 1 || (a.dim() <= 2 && b.dim() <= 2) || foldsBatch(a, b)) return false;
    if (a.dim() < 2 || b.dim() < 2) return false;
    const auto batch = [](const at::Tensor& t) { return t.sizes().slice(0, static_cast<std::size_t>(t.dim()) - 2); };
    // A broadcast batch of one that needs a gradient is folded by ATen.
    if (a.dim() == 3 && b.dim() == 3 && a.size(0) != b.size(0) &&
        ((a.size(0) == 1 && a.requires_grad()) || (b.size(0) == 1 && b.requires_grad())))
        return false;
    std::vector<int64_t> shape = at::infer_size(batch(a), batch(b));
    const int64_t count = c10::multiply_integers(shape);
    const auto expanded = [&](const at::Tensor& t) {
        std::vector<int64_t> sizes = shape;
        sizes.insert(sizes.end(), {t.size(-2), t.size(-1)});
        return t.expand(sizes).reshape({count, t.size(-2), t.size(-1)});
    };
    const at::Tensor left = expanded(a), right = expanded(b);
    shape.insert(shape.end(), {a.size(-2), b.size(-1)});
    drop(stack, 2);
    stack.emplace_back(left.bmm(right).view(shape));
    return true;
}

/// aten::tensor_split(input, indices or their number as a tensor, dim) looks into that tensor's memory by itself; here
/// its elements are read as the program would read them.
bool splitByTensor(Stack& stack) {
    const at::Tensor input = peek(stack, 0, 3).toTensor(), places = peek(stack, 1, 3).toTensor();
    const int64_t dim = peek(stack, 2, 3).toInt();
    if (places.dim() > 1) return false;
    drop(stack, 3);
    if (places.dim() == 0) {
        stack.emplace_back(input.tensor_split(places.item<int64_t>(), dim));
        return true;
    }
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < places.size(0); ++i) indices.push_back(places.select(0, i).item<int64_t>());
    stack.emplace_back(input.tensor_split(indices, dim));
    return true;
}

}  // namespace

PreAutogradRewrite findPreAutogradRewrite(const c10::OperatorName& name) {
    static const std::unordered_map<std::string, PreAutogradRewrite> rewrites = {
        {"aten::batch_norm", batchNormOnGpu},
        {"aten::dropout", dropout},
        {"aten::matmul", batchedMatmul},
        {"aten::native_batch_norm", batchNorm},
        {"aten::tensor_split.tensor_indices_or_sections", splitByTensor},
    };
    const auto it = rewrites.find(name.overload_name.empty() ? name.name : name.name + "." + name.overload_name);
    return it == rewrites.end() ? nullptr : it->second;
}

}  // namespace aotscope
