#include "ops/collective_gradients.h"

#include "aten/tensors.h"
#include "aten/torch_versions.h"
#include "ops/functional_collectives.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/alias.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/library.h>

#include <algorithm>

namespace aotscope {

namespace {

namespace autograd = torch::autograd;
using Stack = torch::jit::Stack;

/// What the backward of an operator calls with the gradient. Its other arguments are those of the forward.
struct GradientRule {
    const char* op;              ///< "all_reduce"
    const char* backward;        ///< "all_reduce"; null: the gradient is passed on unchanged
    std::vector<int> arguments;  ///< of the backward, after the gradient: positions in the forward, or kSum
    int reduction = -1;          ///< position among the forward's arguments, which must be "sum"
};
constexpr int kSum = -1;  ///< the text "sum"

const std::vector<GradientRule>& gradientRules() {
    static const std::vector<GradientRule> rules = {
        {"wait_tensor", nullptr, {}},
        {"all_reduce", "all_reduce", {kSum, 2}, 1},
        {"all_reduce_coalesced", "all_reduce_coalesced", {kSum, 2}, 1},
        {"all_gather_into_tensor", "reduce_scatter_tensor", {kSum, 1, 2}},
        {"all_gather_into_tensor_coalesced", "reduce_scatter_tensor_coalesced", {kSum, 1, 2}},
        {"reduce_scatter_tensor", "all_gather_into_tensor", {2, 3}, 1},
        {"reduce_scatter_tensor_coalesced", "all_gather_into_tensor_coalesced", {2, 3}, 1},
        {"all_to_all_single", "all_to_all_single", {2, 1, 3}},
    };
    return rules;
}

const GradientRule& ruleOf(const std::string& op) {
    const std::string name = op.substr(op.find("::") + 2);
    const auto rule = std::ranges::find_if(gradientRules(), [&](const GradientRule& r) { return r.op == name; });
    check(rule != gradientRules().end(), "a collective without a gradient");
    return *rule;
}

/// The backward of one call.
class CollectiveBackward final : public autograd::Node {
public:
    explicit CollectiveBackward(const std::string& op) : rule_(ruleOf(op)) {}

    void saveArguments(c10::ArrayRef<c10::IValue> arguments) {
        isList_ = arguments[0].isTensorList();
        arguments_.assign(arguments.begin() + 1, arguments.end());
    }

    autograd::variable_list apply(autograd::variable_list&& gradients) override {
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (!gradients[i].defined()) gradients[i] = input_metadata(i).zeros_like();
        if (!rule_.backward) return gradients;
        requireSum();
        for (at::Tensor& gradient : gradients) gradient = gradient.contiguous();
        Stack call;
        if (isList_) call.emplace_back(c10::List<at::Tensor>(at::ArrayRef<at::Tensor>(gradients)));
        else call.emplace_back(gradients.at(0));
        for (const int argument : rule_.arguments)
            call.push_back(argument == kSum ? c10::IValue("sum") : argumentAt(argument));
        const c10::IValue results = callCollective(rule_.backward, std::move(call));
        autograd::variable_list waits;
        forEachTensor(results, [&](const at::Tensor& t) { waits.push_back(waited(t)); });
        return waits;
    }

    std::string name() const override { return std::string(rule_.op) + "Backward"; }

private:
    const c10::IValue& argumentAt(int position) const { return arguments_.at(static_cast<std::size_t>(position) - 1); }

    void requireSum() const {
        if (rule_.reduction < 0) return;
        std::string reduction = argumentAt(rule_.reduction).toStringRef();
        std::ranges::transform(reduction, reduction.begin(), [](unsigned char c) { return std::tolower(c); });
        if (reduction != "sum")
            throw Error(std::string(rule_.op) + " has a gradient for the reduction 'sum' only, as in PyTorch; it is '" +
                        reduction + "' here");
    }

    const GradientRule& rule_;
    bool isList_ = false;
    std::vector<c10::IValue> arguments_;  ///< after the first
};

std::vector<at::Tensor> tensorsOf(const c10::IValue& value) {
    std::vector<at::Tensor> tensors;
    forEachTensor(value, [&](const at::Tensor& t) { tensors.push_back(t); });
    return tensors;
}

/// A result that is the argument itself becomes a separate tensor: it has a different history.
c10::IValue apart(const c10::IValue& result, const std::vector<at::Tensor>& inputs) {
    return mapTensors(result, [&](const at::Tensor& t) {
        const bool same = std::ranges::any_of(inputs, [&](const at::Tensor& input) { return input.is_same(t); });
        return same ? detachedTwin(t) : t;
    });
}

void runWithGradient(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
    const auto arguments = torch::jit::last(*stack, op.schema().arguments().size());
    const std::vector<at::Tensor> inputs = tensorsOf(arguments[0]);
    decltype(makeAutogradNode<CollectiveBackward>(std::string())) node;
    if (at::GradMode::is_enabled() &&
        std::ranges::any_of(inputs, [](const at::Tensor& t) { return t.requires_grad(); })) {
        node = makeAutogradNode<CollectiveBackward>(op.operator_name().name);
        autograd::edge_list edges;
        for (const at::Tensor& t : inputs)
            edges.push_back(t.requires_grad() ? autograd::impl::gradient_edge(t) : autograd::Edge());
        node->set_next_edges(std::move(edges));
        node->saveArguments(arguments);
    }
    {
        const at::AutoDispatchBelowADInplaceOrView below;
        op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
    if (!node) return;
    stack->back() = apart(stack->back(), inputs);
    forEachTensor(stack->back(), [&](const at::Tensor& t) { autograd::set_history(t, node); });
}

/// For operators of `space` without their own gradient, which later versions of LibTorch have.
void registerIn(const char* space, torch::Library& library) {
    for (const GradientRule& rule : gradientRules()) {
        const std::string name = std::string(space) + "::" + rule.op;
        const auto op = c10::Dispatcher::singleton().findSchema({name, ""});
        if (op && !op->hasKernelForDispatchKey(c10::DispatchKey::Autograd))
            library.impl(rule.op, torch::CppFunction::makeFromBoxedFunction<&runWithGradient>());
    }
}

}  // namespace

void registerCollectiveGradients() {
    static torch::Library functional(torch::Library::IMPL, "_c10d_functional", c10::DispatchKey::Autograd, __FILE__,
                                     __LINE__),
        differentiable(torch::Library::IMPL, "_c10d_functional_autograd", c10::DispatchKey::Autograd, __FILE__,
                       __LINE__);
    static const bool once = [] {
        registerIn("_c10d_functional", functional);
        registerIn("_c10d_functional_autograd", differentiable);
        return true;
    }();
    (void)once;
}

}  // namespace aotscope
