// Gradients of the operators that run subgraphs, as Python's autograd keys make them (CondAutogradOp, MapAutogradOp):
// nothing is saved but the operands, and the backward is a call of the same operator with the joint graphs of the
// subgraphs, which compute what they need of the forward again.

#include "aten/tensors.h"
#include "aten/torch_versions.h"
#include "program/higher_order.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <algorithm>

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

/// The keys of the thread with those of autograd, which a kernel runs without.
class AutogradKeys {
    static c10::DispatchKeySet excluded() {
        return c10::impl::tls_local_dispatch_key_set().excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
    }
    c10::impl::ForceDispatchKeyGuard keys_{c10::impl::tls_local_dispatch_key_set().included_, excluded()};
};

/// (operands, tangents of the outputs) -> a gradient for every operand; zeros where there is none.
class JointFunction final : public SubgraphFunction {
public:
    /// The tangents stand behind `before` operands. `wanted`: operands whose gradients are asked for; `outputs`: the
    /// results of the forward that have tangents.
    JointFunction(c10::IValue forward, std::size_t before, std::vector<bool> wanted, std::vector<bool> outputs)
        : forward_(std::move(forward)), before_(before), wanted_(std::move(wanted)), outputs_(std::move(outputs)) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(forward_)->locations();
    }

    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        const std::size_t count = operands.size() - wanted_.size();
        const auto behind = operands.begin() + static_cast<std::ptrdiff_t>(before_);
        const TensorVector tangents(behind, behind + static_cast<std::ptrdiff_t>(count));
        TensorVector primals(operands.begin(), behind);
        primals.insert(primals.end(), behind + static_cast<std::ptrdiff_t>(count), operands.end());
        const TensorVector gradients = differentiate(primals, tangents, sink);
        TensorVector results;
        std::size_t next = 0;
        for (std::size_t i = 0; i < primals.size(); ++i) {
            const at::Tensor gradient = wanted_[i] ? gradients[next++] : at::Tensor();
            results.push_back(gradient.defined() ? gradient : at::zeros_like(primals[i]));
        }
        return results;
    }

private:
    /// A gradient for every wanted primal; undefined ones among them.
    TensorVector differentiate(const TensorVector& primals, const TensorVector& tangents, LocationSink* sink) const {
        const AutogradKeys keys;
        const OneThread thread;
        TensorVector inputs, wanted, roots, starts;
        for (std::size_t i = 0; i < primals.size(); ++i) {
            inputs.push_back(detachedTwin(primals[i]));
            if (wanted_[i]) wanted.push_back(inputs.back().set_requires_grad(true));
        }
        TensorVector outputs;
        {
            const at::AutoGradMode grad(true);
            outputs = subgraphFunction(forward_)->run(inputs, sink);
        }
        if (sink) sink->leave();
        std::size_t next = 0;
        for (std::size_t i = 0; i < std::min(outputs.size(), outputs_.size()); ++i) {
            if (!outputs_[i]) continue;
            const std::size_t tangent = next++;
            if (!outputs[i].requires_grad()) continue;
            roots.push_back(outputs[i]);
            starts.push_back(tangents.at(tangent));
        }
        if (roots.empty() || wanted.empty()) return TensorVector(wanted.size());
        return torch::autograd::grad(roots, wanted, starts, /*retain_graph=*/false, /*create_graph=*/false,
                                     /*allow_unused=*/true);
    }

    c10::IValue forward_;
    std::size_t before_;
    std::vector<bool> wanted_, outputs_;
};

/// Differentiates one call.
class HigherOrderBackward final : public torch::autograd::Node {
public:
    HigherOrderBackward(const c10::OperatorHandle& op, const HigherOrderCall& call, torch::autograd::edge_list edges)
        : Node(std::move(edges)), op_(op), subgraphs_(call.subgraphs) {
        for (const TensorVector& group : call.groups) {
            saved_.emplace_back();
            for (const at::Tensor& tensor : group) {
                saved_.back().emplace_back(tensor, /*is_output=*/false);
                wanted_.push_back(tensor.requires_grad());
            }
        }
    }

    std::string name() const override { return std::string(findHigherOrder(op_)->name) + "Backward"; }

    void release_variables() override {
        released_ = true;
        saved_.clear();
    }

    /// `outputs`: those that have gradients.
    void setOutputs(std::vector<bool> outputs) { outputs_ = std::move(outputs); }

    TensorVector apply(TensorVector&& gradients) override {
        if (released_)
            throw Error("the backward of " + name() + " runs a second time; its operands are not kept that long");
        HigherOrderCall call;
        for (auto& group : saved_) {
            call.groups.emplace_back();
            for (const auto& variable : group) call.groups.back().push_back(variable.unpack());
        }
        const std::size_t tangentGroup = *findHigherOrder(op_)->tangentGroup;
        // cond's predicate, in the first of two groups, is no operand of the graphs.
        const std::size_t skipped = tangentGroup == 1 ? call.groups[0].size() : 0;
        const std::size_t before = call.groups[tangentGroup].size();
        const std::vector<bool> wanted(wanted_.begin() + static_cast<std::ptrdiff_t>(skipped), wanted_.end());
        for (const c10::IValue& subgraph : subgraphs_)
            call.subgraphs.push_back(toIValue(c10::make_intrusive<JointFunction>(subgraph, before, wanted, outputs_)));
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (outputs_[i])
                call.groups[tangentGroup].push_back(
                    gradients[i].defined() ? gradients[i] : input_metadata(static_cast<std::uint32_t>(i)).zeros_like());
        torch::jit::Stack stack = stackOf(op_, call);
        op_.callBoxed(stack);
        TensorVector results(skipped);
        const TensorVector found = stack.back().toTensorVector();
        results.insert(results.end(), found.begin(), found.end());
        for (std::size_t i = 0; i < results.size(); ++i)
            if (!wanted_[i]) results[i] = at::Tensor();
        return results;
    }

private:
    c10::OperatorHandle op_;
    std::vector<c10::IValue> subgraphs_;
    std::vector<std::vector<torch::autograd::SavedVariable>> saved_;
    std::vector<bool> wanted_, outputs_;
    bool released_ = false;
};

auto nodeFor(const c10::OperatorHandle& op, const HigherOrderCall& call, const TensorVector& operands) {
    if (!findHigherOrder(op)->tangentGroup)
        throw Error("the gradient of the higher-order operator '" + std::string(findHigherOrder(op)->name) +
                    "' is not supported; run the model without gradients (--inference)");
    return makeAutogradNode<HigherOrderBackward>(op, call, torch::autograd::collect_next_edges(operands));
}

template <typename NodePointer>
void attach(const NodePointer& node, TensorVector& results) {
    std::vector<bool> outputs;
    for (at::Tensor& result : results) {
        outputs.push_back(torch::autograd::isDifferentiableType(result.scalar_type()));
        if (outputs.back()) torch::autograd::set_history(result, node);
        else node->add_input_metadata(torch::autograd::Node::undefined_input());
    }
    node->setOutputs(std::move(outputs));
}

}  // namespace

void differentiateHigherOrder(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const std::size_t count = op.schema().arguments().size();
    const HigherOrderCall call = higherOrderCall(op, torch::jit::last(*stack, count));
    TensorVector operands;
    for (const TensorVector& group : call.groups) operands.insert(operands.end(), group.begin(), group.end());
    const bool differentiable = torch::autograd::compute_requires_grad(operands);
    // Made before the operation runs, as all autograd nodes: its number is how a trace links the two.
    decltype(nodeFor(op, call, operands)) node;
    if (differentiable) node = nodeFor(op, call, operands);
    {
        const at::AutoDispatchBelowADInplaceOrView below;
        op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
    if (!differentiable) return;
    TensorVector results = stack->back().toTensorVector();
    attach(node, results);
    stack->back() = c10::List<at::Tensor>(results);
}

}  // namespace aotscope
