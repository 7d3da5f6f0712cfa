#include "runtime/saved_values.h"

#include "aten/tensors.h"

#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/variable.h>

namespace aotscope {

/// The visible tensors by memory; most calls never need them.
class SavedValues::Owners {
public:
    explicit Owners(const std::vector<const std::vector<c10::IValue>*>& visible) : visible_(visible) {}

    /// Lets `saved` share the version counter of the visible tensor with the same memory.
    void shareVersion(const at::Tensor& saved) {
        if (owners_.empty()) collect();
        if (const auto it = owners_.find(storageOf(saved)); it != owners_.end())
            saved.unsafeGetTensorImpl()->set_version_counter(torch::autograd::impl::version_counter(*it->second));
    }

private:
    void collect() {
        for (const auto* values : visible_)
            for (const c10::IValue& value : *values)
                if (isTensor(value)) owners_.emplace(storageOf(value.toTensor()), &value.toTensor());
    }

    const std::vector<const std::vector<c10::IValue>*>& visible_;
    std::unordered_map<const c10::StorageImpl*, const at::Tensor*> owners_;
};

SavedValues::SavedValues(std::vector<c10::IValue> values, const std::vector<const std::vector<c10::IValue>*>& visible) {
    Owners owners(visible);
    tensors_.reserve(values.size());
    for (c10::IValue& value : values) {
        if (value.isTensor()) keep(std::move(value).toTensor(), owners);
        else numbers_.push_back(std::move(value));
    }
}

void SavedValues::keep(at::Tensor tensor, Owners& owners) {
    if (tensor.defined()) {
        const bool onlyHere = tensor.use_count() == 1 && !tensor.requires_grad();
        if (!onlyHere) tensor = detachedTwin(tensor);
        // Its own memory, or an alias of an argument, which already shares the counter.
        const auto& version = torch::autograd::impl::version_counter(tensor);
        if (!onlyHere || (tensor.unsafeGetTensorImpl()->unsafe_storage().use_count() > 1 && version.unique()))
            owners.shareVersion(tensor);
    }
    tensors_.emplace_back(tensor, /*is_output=*/false);
}

std::vector<c10::IValue> SavedValues::take() {
    TORCH_CHECK(!freed_, torch::autograd::ERR_BACKWARD_TWICE);
    std::vector<c10::IValue> args;
    args.reserve(numbers_.size() + tensors_.size());
    args = numbers_;
    for (const auto& tensor : tensors_) args.emplace_back(tensor.unpack());
    freed_ = !torch::autograd::get_current_graph_task_keep_graph();
    if (freed_) tensors_.clear();
    return args;
}

}  // namespace aotscope
