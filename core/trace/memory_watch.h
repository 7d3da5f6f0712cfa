#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Of which operations it shows whether they return their input's memory or a copy of it: where one of the two is
/// written to later, or where the caller has both. Only the program as written shows that; it is noted in order. Other
/// traces may take a copy for an alias, or the reverse, elsewhere.
class MemoryWatch {
public:
    /// Operation number `step` of the program returns the memory of `tensor`, or a copy of it.
    void watch(std::size_t step, const at::Tensor& tensor) { steps_[memoryOf(tensor)].insert(step); }
    /// `tensor` is the copy.
    void watchCopy(std::size_t step, const at::Tensor& tensor);
    /// `op` is run with these arguments.
    void noteWrites(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// All has run: what the caller holds then.
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
