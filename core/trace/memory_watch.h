#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Finds operations for which it is observable whether they return their input's memory or a copy: one of the two is
/// written to later, or the caller has both. Only the original program shows that, and is observed in order. Elsewhere,
/// other traces may replace a copy by an alias, or vice versa.
class MemoryWatch {
public:
    /// Operation number `step` of the program returns the memory of `tensor`, or a copy of it.
    void watch(std::size_t step, const at::Tensor& tensor) { steps_[memoryOf(tensor)].insert(step); }
    /// `tensor` is that copy.
    void watchCopy(std::size_t step, const at::Tensor& tensor);
    /// Call when `op` runs with these arguments.
    void noteWrites(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// Call at the end, with everything that the caller then has.
    void noteCaller(const std::vector<c10::IValue>& inputs, const std::vector<c10::IValue>& outputs);

    bool shows(std::size_t step) const { return shown_.contains(step); }

private:
    using Memory = const c10::StorageImpl*;
    static Memory memoryOf(const at::Tensor& tensor);
    void show(Memory memory);

    std::unordered_map<Memory, std::unordered_set<std::size_t>> steps_;
    std::unordered_set<Memory> copies_;
    std::unordered_set<std::size_t> shown_;
};

}  // namespace aotscope
