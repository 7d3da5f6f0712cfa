#include "trace/idle_dropouts.h"

#include "aten/tensors.h"

#include <ATen/ops/clone.h>

namespace aotscope {

using torch::jit::drop;
using torch::jit::peek;
using torch::jit::Stack;

bool IdleDropouts::isIdle(const c10::OperatorHandle& op, const Stack& stack) {
    static const c10::OperatorName dropout("aten::dropout", "");
    if (op.operator_name() != dropout) return false;
    return !peek(stack, 2, 3).toBool() || peek(stack, 1, 3).toDouble() == 0;
}

void IdleDropouts::note(std::size_t step, const Stack& stack) {
    steps_[storageOf(peek(stack, 0, 3).toTensor())].insert(step);
}

void IdleDropouts::noteWrites(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    if (steps_.empty() || !op.schema().is_mutable()) return;
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < declared.size(); ++i)
        if (declared[i].alias_info() && declared[i].alias_info()->isWrite())
            forEachTensor(args[i], [this](const at::Tensor& t) { keep(storageOf(t)); });
}

void IdleDropouts::noteCaller(const std::vector<c10::IValue>& inputs, const std::vector<c10::IValue>& outputs) {
    std::unordered_set<const c10::StorageImpl*> held;
    for (const c10::IValue& input : inputs)
        forEachTensor(input, [&](const at::Tensor& t) { held.insert(storageOf(t)); });
    for (const c10::IValue& output : outputs)
        forEachTensor(output, [&](const at::Tensor& t) {
            if (!held.insert(storageOf(t)).second) keep(storageOf(t));
        });
}

bool IdleDropouts::copy(std::size_t step, Stack& stack) const {
    if (kept_.contains(step)) return false;
    const at::Tensor result = at::clone(peek(stack, 0, 3).toTensor());
    drop(stack, 3);
    stack.emplace_back(result);
    return true;
}

void IdleDropouts::keep(const c10::StorageImpl* memory) {
    const auto it = steps_.find(memory);
    if (it != steps_.end()) kept_.insert(it->second.begin(), it->second.end());
}

}  // namespace aotscope
