#include "program/joint_function.h"

#include "aten/tensors.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/functions/utils.h>

namespace aotscope {

namespace {

/// Keeps autograd to this thread during its lifetime.
class OneThread {
public:
    OneThread() { c10::AutogradState::get_tls_state().set_multithreading_enabled(false); }
    ~OneThread() { c10::AutogradState::get_tls_state().set_multithreading_enabled(before_); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    bool before_ = c10::AutogradState::get_tls_state().get_multithreading_enabled();
};

/// The dispatch keys of the thread including those of autograd, without which kernels run.
class AutogradKeys {
    static c10::DispatchKeySet excluded() {
        return c10::impl::tls_local_dispatch_key_set().excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
    }
    c10::impl::ForceDispatchKeyGuard keys_{c10::impl::tls_local_dispatch_key_set().included_, excluded()};
};

}  // namespace

bool isDifferentiable(const at::Tensor& tensor) { return torch::autograd::isDifferentiableType(tensor.scalar_type()); }

std::vector<at::Tensor> JointFunction::run(const std::vector<at::Tensor>& operands, LocationSink* sink) const {
    const std::size_t count = operands.size() - wanted_.size();
    const auto behind = operands.begin() + static_cast<std::ptrdiff_t>(before_);
    const std::vector<at::Tensor> tangents(behind, behind + static_cast<std::ptrdiff_t>(count));
    std::vector<at::Tensor> primals(operands.begin(), behind);
    primals.insert(primals.end(), behind + static_cast<std::ptrdiff_t>(count), operands.end());
    std::vector<at::Tensor> outputs, results;
    const std::vector<at::Tensor> gradients = differentiate(primals, tangents, sink, outputs);
    if (returns_ == Returns::forwardAndGradients)
        for (const at::Tensor& output : outputs) results.push_back(detachedTwin(output));
    std::size_t next = 0;
    for (std::size_t i = 0; i < primals.size(); ++i) {
        const at::Tensor gradient = wanted_[i] ? gradients[next++] : at::Tensor();
        results.push_back(gradient.defined() ? gradient : at::zeros_like(primals[i]));
    }
    return results;
}

std::vector<at::Tensor> JointFunction::differentiate(const std::vector<at::Tensor>& primals,
                                                     const std::vector<at::Tensor>& tangents, LocationSink* sink,
                                                     std::vector<at::Tensor>& outputs) const {
    const AutogradKeys keys;
    const OneThread thread;
    std::vector<at::Tensor> inputs, wanted, roots, starts;
    for (std::size_t i = 0; i < primals.size(); ++i) {
        inputs.push_back(detachedTwin(primals[i]));
        if (wanted_[i]) wanted.push_back(inputs.back().set_requires_grad(true));
    }
    {
        const at::AutoGradMode grad(true);
        outputs = subgraphFunction(forward_)->run(inputs, sink);
    }
    if (sink) sink->leave();
    std::size_t next = 0;
    for (const at::Tensor& output : outputs) {
        if (!isDifferentiable(output)) continue;
        const std::size_t tangent = next++;
        if (!output.requires_grad()) continue;
        roots.push_back(output);
        starts.push_back(tangents.at(tangent));
    }
    if (roots.empty() || wanted.empty()) return std::vector<at::Tensor>(wanted.size());
    return torch::autograd::grad(roots, wanted, starts, /*retain_graph=*/false, /*create_graph=*/false,
                                 /*allow_unused=*/true);
}

}  // namespace aotscope
