#include "trace/layout_copies.h"

#include <ATen/ExpandUtils.h>
#include <ATen/InferSize.h>
#include <ATen/TensorUtils.h>
#include <ATen/ops/_unsafe_view.h>

namespace aotscope {

namespace {

using torch::jit::drop;
using torch::jit::peek;
using torch::jit::Stack;

bool isContiguous(const c10::OperatorHandle& op) { return op.operator_name().name == "aten::contiguous"; }
bool isReshape(const c10::OperatorHandle& op) { return op.operator_name().name == "aten::reshape"; }

at::MemoryFormat formatOf(const Stack& stack) { return peek(stack, 1, 2).toMemoryFormat(); }

/// Both take (tensor, format or shape).
bool copies(const c10::OperatorHandle& op, const Stack& stack) {
    const at::Tensor& tensor = peek(stack, 0, 2).toTensor();
    if (isContiguous(op)) return !tensor.is_contiguous(formatOf(stack));
    const auto shape = at::infer_size_dv(peek(stack, 1, 2).toIntVector(), tensor.numel());
    return !at::detail::computeStride(tensor.sizes(), tensor.strides(), shape);
}

}  // namespace

bool LayoutCopies::note(std::size_t step, const c10::OperatorHandle& op, const Stack& stack) {
    const bool isNoted = (isContiguous(op) || isReshape(op)) && copies(op, stack);
    if (isNoted) steps_.insert(step);
    return isNoted;
}

bool LayoutCopies::copy(std::size_t step, const c10::OperatorHandle& op, Stack& stack) const {
    if (!(isContiguous(op) || isReshape(op)) || !steps_.contains(step) || copies(op, stack)) return false;
    const at::Tensor tensor = peek(stack, 0, 2).toTensor();
    const at::Tensor result = isContiguous(op) ? tensor.clone(formatOf(stack))
                                               : at::_unsafe_view(tensor.clone(at::MemoryFormat::Contiguous),
                                                                  peek(stack, 1, 2).toIntVector());
    drop(stack, 2);
    stack.emplace_back(result);
    return true;
}

}  // namespace aotscope
