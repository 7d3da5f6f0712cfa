#include "trace/memory_watch.h"

#include "aten/tensors.h"

namespace aotscope {

MemoryWatch::Memory MemoryWatch::memoryOf(const at::Tensor& tensor) { return storageOf(tensor); }

void MemoryWatch::watchCopy(std::size_t step, const at::Tensor& tensor) {
    watch(step, tensor);
    copies_.insert(memoryOf(tensor));
}

void MemoryWatch::noteWrites(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    if (steps_.empty() || !op.schema().is_mutable()) return;
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < declared.size(); ++i)
        if (declared[i].alias_info() && declared[i].alias_info()->isWrite())
            forEachTensor(args[i], [this](const at::Tensor& t) { show(memoryOf(t)); });
}

void MemoryWatch::noteCaller(const std::vector<c10::IValue>& inputs, const std::vector<c10::IValue>& outputs) {
    std::unordered_set<Memory> held;
    for (const c10::IValue& input : inputs)
        forEachTensor(input, [&](const at::Tensor& t) { held.insert(memoryOf(t)); });
    for (const c10::IValue& output : outputs)
        forEachTensor(output, [&](const at::Tensor& t) {
            const bool isFirst = held.insert(memoryOf(t)).second;
            if (!isFirst || copies_.contains(memoryOf(t))) show(memoryOf(t));
        });
}

void MemoryWatch::show(Memory memory) {
    const auto it = steps_.find(memory);
    if (it != steps_.end()) shown_.insert(it->second.begin(), it->second.end());
}

}  // namespace aotscope
