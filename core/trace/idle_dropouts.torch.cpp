#include "trace/idle_dropouts.h"

#include <ATen/ops/clone.h>

namespace aotscope {

using torch::jit::drop;
using torch::jit::peek;
using torch::jit::Stack;

bool isIdleDropout(const c10::OperatorHandle& op, const Stack& stack) {
    static const c10::OperatorName dropout("aten::dropout", "");
    if (op.operator_name() != dropout) return false;
    return !peek(stack, 2, 3).toBool() || peek(stack, 1, 3).toDouble() == 0;
}

void copyIdleDropout(Stack& stack) {
    const at::Tensor result = at::clone(peek(stack, 0, 3).toTensor());
    drop(stack, 3);
    stack.emplace_back(result);
}

}  // namespace aotscope
