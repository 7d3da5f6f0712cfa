#include "trace/fake_inputs.h"

#include "aten/autocast.h"
#include "aten/fake_tensor.h"
#include "aten/random_state.h"
#include "aten/tensors.h"
#include "aten/torch_versions.h"
#include "support/budget.h"
#include "support/error.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <future>
#include <unordered_map>

namespace aotscope {

namespace fi = at::functionalization::impl;

FakeInputs::FakeInputs(const std::vector<c10::IValue>& examples, const std::optional<c10::Device>& device) {
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    std::unordered_map<const c10::TensorImpl*, std::size_t> first;
    for (const auto& leaf : examples) {
        const bool tensor = leaf.isTensor() && leaf.toTensor().defined();
        duplicateOf.push_back(tensor ? first.emplace(leaf.toTensor().unsafeGetTensorImpl(), leaves.size()).first->second
                                     : leaves.size());
        requiresGrad.push_back(tensor && leaf.toTensor().requires_grad());
        isLeaf.push_back(!tensor || leaf.toTensor().is_leaf());
        if (!tensor) {
            leaves.push_back(leaf);
            continue;
        }
        const at::Tensor& real = leaf.toTensor();
        auto [it, isNew] = storages.try_emplace(storageOf(real));
        const at::Tensor fake = fakeLike(real, isNew ? nullptr : &it->second, device);
        if (isNew) it->second = fake.storage();
        leaves.emplace_back(fake);
    }
}

bool FakeInputs::anyRequiresGrad() const {
    return std::find(requiresGrad.begin(), requiresGrad.end(), true) != requiresGrad.end();
}

bool FakeInputs::anyDuplicate() const {
    for (std::size_t i = 0; i < duplicateOf.size(); ++i)
        if (duplicateOf[i] != i) return true;
    return false;
}

at::Tensor wrapFunctional(const at::Tensor& fake, bool requiresGrad, bool isLeaf) {
    at::Tensor wrapped = fi::to_functional_tensor(fake);
    if (!requiresGrad) return wrapped;
    wrapped.set_requires_grad(true);
    if (!isLeaf) makeNonLeaf(wrapped);
    return wrapped;
}

void makeNonLeaf(const at::Tensor& tensor) {
    const auto end =
        makeAutogradNode<torch::autograd::Error>("a gradient left the traced function", torch::autograd::edge_list());
    torch::autograd::set_history(tensor, end);
}

const torch::autograd::Node* historyOf(const at::Tensor& tensor) {
    const auto* meta = torch::autograd::impl::get_autograd_meta(tensor);
    return meta ? meta->grad_fn_.get() : nullptr;
}

c10::IValue unwrapFunctional(const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return value;
    const at::Tensor& tensor = value.toTensor();
    if (!fi::isFunctionalTensor(tensor)) return value;
    fi::sync(tensor);
    const at::Tensor inner = fi::from_functional_tensor(tensor);
    const bool lazier = (inner.is_conj() && !tensor.is_conj()) || (inner.is_neg() && !tensor.is_neg());
    if (!lazier) return inner;
    // A write through a lazy view leaves a lazy value behind. The plain one is valid for all that share its memory.
    auto* wrapper = fi::unsafeGetFunctionalWrapper(tensor);
    wrapper->replace_(inner.resolve_conj().resolve_neg());
    wrapper->commit_update();
    fi::sync(tensor);
    return fi::from_functional_tensor(tensor);
}

void runTraceThread(const std::function<void()>& job) {
    const RandomStateGuard kept;
    const AutocastState autocast = AutocastState::current();
    const Budget* budget = BudgetScope::current();
    const auto info = c10::ThreadLocalDebugInfo::current();  // with the World of this thread
    const auto underAutocast = [&] {
        const BudgetScope scope(budget);
        const c10::DebugInfoGuard world(info);
        autocast.apply();
        job();
    };
    std::async(std::launch::async, underAutocast).get();
}

struct FunctionalizationScope::State {
    c10::impl::IncludeDispatchKeyGuard key{c10::DispatchKeySet({c10::DispatchKey::Functionalize})};
    fi::FunctionalizationReapplyViewsGuard views{true};
};

FunctionalizationScope::FunctionalizationScope() : state_(std::make_unique<State>()) {}
FunctionalizationScope::~FunctionalizationScope() = default;

}  // namespace aotscope
