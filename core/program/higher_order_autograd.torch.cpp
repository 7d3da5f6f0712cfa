#include "aten/autocast.h"
#include "aten/torch_versions.h"
#include "program/higher_order_gradient.h"
#include "program/joint_function.h"
#include "program/tensor_lists.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>

namespace aotscope {

namespace {

/// Differentiates one call.
class HigherOrderBackward final : public torch::autograd::Node {
public:
    HigherOrderBackward(const c10::OperatorHandle& op, const HigherOrderCall& call, torch::autograd::edge_list edges)
        : Node(std::move(edges)),
          name_(findHigherOrder(op)->name),
          subgraphs_(call.subgraphs),
          gradient_(findHigherOrder(op)->gradient(call)) {
        for (const TensorVector& group : call.groups) {
            saved_.emplace_back();
            for (const at::Tensor& tensor : group) {
                saved_.back().emplace_back(tensor, /*is_output=*/false);
                wanted_.push_back(tensor.requires_grad());
            }
        }
    }

    std::string name() const override { return name_ + "Backward"; }

    void release_variables() override {
        released_ = true;
        saved_.clear();
        kept_.clear();
    }

    /// Runs the call below autograd; this node becomes the history of its results.
    TensorVector forward(const HigherOrderCall& call) {
        auto [results, kept] = gradient_->forward(call);
        for (const at::Tensor& tensor : kept) kept_.emplace_back(tensor, /*is_output=*/false);
        return results;
    }

    /// `outputs`: which of them have gradients.
    void setOutputs(std::vector<bool> outputs) { outputs_ = std::move(outputs); }

    TensorVector apply(TensorVector&& gradients) override {
        if (released_)
            throw Error("the backward of " + name() + " runs a second time; its operands are not kept that long");
        HigherOrderCall call{subgraphs_, {}};
        for (auto& group : saved_) {
            call.groups.emplace_back();
            for (const auto& variable : group) call.groups.back().push_back(variable.unpack());
        }
        TensorVector kept, tangents;
        for (const auto& variable : kept_) kept.push_back(variable.unpack());
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            tangents.emplace_back();
            if (outputs_[i])
                tangents[i] =
                    gradients[i].defined() ? gradients[i] : input_metadata(static_cast<std::uint32_t>(i)).zeros_like();
        }
        // Subgraphs are recomputed under the forward's autocast, as in Python.
        const AutocastStateScope autocast(autocast_);
        TensorVector results = gradient_->backward(call, kept, tangents);
        for (std::size_t i = 0; i < results.size(); ++i)
            if (!wanted_[i]) results[i] = at::Tensor();
        return results;
    }

private:
    std::string name_;
    std::vector<c10::IValue> subgraphs_;
    std::unique_ptr<HigherOrderGradient> gradient_;
    std::vector<std::vector<torch::autograd::SavedVariable>> saved_;
    std::vector<torch::autograd::SavedVariable> kept_;
    std::vector<bool> wanted_, outputs_;
    AutocastState autocast_ = AutocastState::current();
    bool released_ = false;
};

template <typename NodePointer>
void attach(const NodePointer& node, TensorVector& results) {
    std::vector<bool> outputs;
    for (at::Tensor& result : results) {
        outputs.push_back(isDifferentiable(result));
        if (outputs.back()) torch::autograd::set_history(result, node);
        else node->add_input_metadata(torch::autograd::Node::undefined_input());
    }
    node->setOutputs(std::move(outputs));
}

/// The operator runs the joint graphs of its subgraphs in the backward.
class JointGraphGradient final : public HigherOrderGradient {
public:
    /// The tangents come last in the group `tangents`; the groups before it are not operands of the subgraphs.
    JointGraphGradient(const char* op, std::size_t tangents, const HigherOrderCall& call)
        : op_(op), tangentGroup_(tangents) {
        for (std::size_t i = tangents; i < call.groups.size(); ++i)
            for (const at::Tensor& tensor : call.groups[i]) wanted_.push_back(tensor.requires_grad());
    }

    Forward forward(const HigherOrderCall& call) override { return {callHigherOrder(op_, call), {}}; }

    TensorVector backward(const HigherOrderCall& call, const TensorVector&,
                          const TensorVector& tangents) const override {
        HigherOrderCall joint{{}, call.groups};
        TensorVector& operands = joint.groups[tangentGroup_];
        const std::size_t before = operands.size();
        operands = joined(operands, defined(tangents));
        for (const c10::IValue& subgraph : call.subgraphs)
            joint.subgraphs.push_back(toIValue(c10::make_intrusive<JointFunction>(subgraph, before, wanted_)));
        TensorVector results;
        for (std::size_t i = 0; i < tangentGroup_; ++i) results.resize(results.size() + call.groups[i].size());
        const TensorVector found = callHigherOrder(op_, joint);
        results.insert(results.end(), found.begin(), found.end());
        return results;
    }

private:
    const char* op_;
    std::size_t tangentGroup_;
    std::vector<bool> wanted_;
};

}  // namespace

std::unique_ptr<HigherOrderGradient> gradientOfCond(const HigherOrderCall& call) {
    return std::make_unique<JointGraphGradient>("cond", 1, call);
}

std::unique_ptr<HigherOrderGradient> gradientOfMap(const HigherOrderCall& call) {
    return std::make_unique<JointGraphGradient>("map_impl", 0, call);
}

void differentiateHigherOrder(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const std::size_t count = op.schema().arguments().size();
    const HigherOrderCall call = higherOrderCall(op, torch::jit::last(*stack, count));
    TensorVector operands;
    for (const TensorVector& group : call.groups) operands.insert(operands.end(), group.begin(), group.end());
    if (!torch::autograd::compute_requires_grad(operands)) {
        const at::AutoDispatchBelowADInplaceOrView below;
        return op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
    if (!findHigherOrder(op)->gradient)
        throw Error("the gradient of the higher-order operator '" + std::string(findHigherOrder(op)->name) +
                    "' is not supported; run the model without gradients (--inference)");
    // Created before the operation runs, like all autograd nodes: a trace links the two by its number.
    const auto node = makeAutogradNode<HigherOrderBackward>(op, call, torch::autograd::collect_next_edges(operands));
    TensorVector results;
    {
        const at::AutoDispatchBelowADInplaceOrView below;
        results = node->forward(call);
    }
    attach(node, results);
    torch::jit::drop(*stack, count);
    stack->emplace_back(c10::List<at::Tensor>(results));
}

}  // namespace aotscope
