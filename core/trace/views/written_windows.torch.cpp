#include "trace/views/written_windows.h"

#include "ops/op_table.h"

#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>

namespace aotscope {

namespace {

using torch::jit::drop;
using torch::jit::peek;
using torch::jit::Stack;

bool shareStorage(const Node& a, const Node& b) {
    const TensorType *x = a.type.tensor(), *y = b.type.tensor();
    return x && y && x->storage >= 0 && x->storage == y->storage;
}

/// Adjacent windows, with or without gaps: rows of a matrix, sliced to the windows' size. If the gap after the last one
/// is beyond the end, they are a strided slice, or as_strided.
at::Tensor windowsOf(const at::Tensor& t, std::int64_t dim, std::int64_t size, std::int64_t step) {
    const std::int64_t count = (t.size(dim) - size) / step + 1;
    if (count * step <= t.size(dim))
        return t.narrow(dim, 0, count * step)
            .unflatten(dim, {count, step})
            .narrow(dim + 1, 0, size)
            .movedim(dim + 1, -1);
    if (size == 1) return t.slice(dim, 0, std::nullopt, step).unsqueeze(-1);
    std::vector<std::int64_t> sizes = t.sizes().vec(), strides = t.strides().vec();
    const auto at = static_cast<std::size_t>(dim);
    sizes[at] = count;
    sizes.push_back(size);
    strides.push_back(strides[at]);
    strides[at] *= step;
    return t.as_strided(sizes, strides);
}

}  // namespace

void WrittenWindows::note(const Node& node, std::size_t step) {
    if (node.isCall("aten.unfold.default")) windows_[&node].insert(step);
    const auto follow = [&](const Argument& argument) {
        const auto window = argument.node() ? windows_.find(argument.node()) : windows_.end();
        if (window == windows_.end()) return;
        const Node& from = *argument.node();
        const Steps made = window->second;
        if (isMutating(node.op())) written_.insert(made.begin(), made.end());
        if (shareStorage(node, from)) windows_[&node].insert(made.begin(), made.end());
        for (const Node* part : node.users())  // of a split
            if (isGetitem(*part) && shareStorage(*part, from)) windows_[part].insert(made.begin(), made.end());
    };
    if (!node.args().empty()) follow(node.args()[0]);
    for (const auto& [name, value] : node.kwargs()) {
        const auto window = name == "out" && value.node() ? windows_.find(value.node()) : windows_.end();
        if (window != windows_.end()) written_.insert(window->second.begin(), window->second.end());
    }
}

bool WrittenWindows::view(std::size_t step, const c10::OperatorHandle& op, Stack& stack) const {
    if (op.operator_name().name != "aten::unfold" || !written_.contains(step)) return false;
    const at::Tensor tensor = peek(stack, 0, 4).toTensor();
    const std::int64_t size = peek(stack, 2, 4).toInt(), stride = peek(stack, 3, 4).toInt();
    if (tensor.dim() == 0 || size < 1 || size > stride) return false;
    const std::int64_t dim = c10::maybe_wrap_dim(peek(stack, 1, 4).toInt(), tensor.dim());
    if (size > tensor.size(dim)) return false;  // unfold reports the error
    drop(stack, 4);
    stack.emplace_back(windowsOf(tensor, dim, size, stride));
    return true;
}

}  // namespace aotscope
