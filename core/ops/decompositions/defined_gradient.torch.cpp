#include "ops/decompositions/defined_gradient.h"

#include "aten/tensors.h"
#include "aten/torch_versions.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

namespace aotscope {

namespace {

namespace autograd = torch::autograd;
using Stack = torch::jit::Stack;
using NodePointer = decltype(autograd::Edge::function);

/// With `prefix` "grad", "grad2" is 2 and "grad" is 0; nothing for other names.
std::optional<std::size_t> numberOf(const std::string& name, const std::string& prefix) {
    if (!name.starts_with(prefix)) return std::nullopt;
    const std::string digits = name.substr(prefix.size());
    if (digits.empty()) return 0;
    const bool number =
        digits.size() <= 3 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return number ? std::optional<std::size_t>(std::stoul(digits)) : std::nullopt;
}

/// A value saved for the backward.
struct Saved {
    std::vector<autograd::SavedVariable> tensors;
    c10::IValue other;
    enum class Kind : std::uint8_t { other, tensor, list } kind = Kind::other;

    Saved() = default;
    Saved(const c10::IValue& value, bool isResult) {
        if (value.isTensor() && value.toTensor().defined()) {
            kind = Kind::tensor;
            tensors.emplace_back(value.toTensor(), isResult);
        } else if (value.isTensorList()) {
            kind = Kind::list;
            for (const at::Tensor& t : value.toTensorVector()) tensors.emplace_back(t, isResult);
        } else {
            other = value;
        }
    }

    c10::IValue value(const NodePointer& node) const {
        if (kind == Kind::other) return other;
        if (kind == Kind::tensor) return tensors.front().unpack(node);
        c10::List<at::Tensor> list;
        for (const auto& saved : tensors) list.push_back(saved.unpack(node));
        return list;
    }
};

/// The backward of one call.
class DefinedBackward final : public autograd::Node {
public:
    DefinedBackward(const c10::OperatorHandle& op, std::shared_ptr<const OperatorDefinition> definition)
        : definition_(std::move(definition)), operator_(op.operator_name().name) {}

    /// Saves the parameters of a known gradient, except results, which do not exist yet.
    void saveArguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments) {
        for (const std::string& parameter : definition_->gradient->parameters) {
            Parameter& saved = parameters_.emplace_back();
            if (const auto index = schema.argumentIndexWithName(parameter)) {
                saved.value = Saved(arguments[static_cast<std::size_t>(*index)], false);
            } else if (const auto result = numberOf(parameter, "result")) {
                saved.result = result;
            } else {
                saved.gradient = numberOf(parameter, "grad");
            }
        }
    }

    void saveResults(c10::ArrayRef<c10::IValue> results) {
        for (Parameter& parameter : parameters_)
            if (parameter.result && *parameter.result < results.size())
                parameter.value = Saved(results[*parameter.result], true);
    }

    autograd::variable_list apply(autograd::variable_list&& gradients) override {
        if (!definition_ || !definition_->gradient) return autograd::variable_list(next_edges().size());
        Stack stack;
        const auto self = getptr();
        for (const Parameter& parameter : parameters_) {
            if (!parameter.gradient) {
                stack.push_back(parameter.value.value(self));
                continue;
            }
            const std::size_t i = *parameter.gradient;
            if (i >= gradients.size())
                throw Error("the gradient of '" + operator_ + "' asks for 'grad" + std::to_string(i) + "' of " +
                            std::to_string(gradients.size()));
            stack.emplace_back(gradients[i].defined() ? gradients[i] : input_metadata(i).zeros_like());
        }
        definition_->gradient->run(stack);
        return taken(stack);
    }

    std::string name() const override { return operator_.substr(operator_.find("::") + 2) + "Backward"; }

    void release_variables() override {
        for (Parameter& parameter : parameters_) parameter.value = {};
    }

private:
    struct Parameter {
        std::optional<std::size_t> gradient, result;
        Saved value;
    };

    autograd::variable_list taken(const Stack& stack) const {
        std::vector<c10::IValue> values;
        if (stack.size() == 1 && stack.back().isTuple()) values = stack.back().toTupleRef().elements().vec();
        else values = stack;
        if (values.size() > next_edges().size())
            throw Error("the gradient of '" + operator_ + "' returns " + std::to_string(values.size()) +
                        " values for the operator's " + std::to_string(next_edges().size()) + " tensors");
        autograd::variable_list result(next_edges().size());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i].isTensor()) result[i] = values[i].toTensor();
        return result;
    }

    std::shared_ptr<const OperatorDefinition> definition_;
    std::string operator_;
    std::vector<Parameter> parameters_;
};

bool takesTensor(const c10::Type& type) {
    if (type.kind() == c10::TypeKind::OptionalType)
        return takesTensor(*type.expectRef<c10::OptionalType>().getElementType());
    return type.kind() == c10::TypeKind::TensorType;
}

/// For each tensor argument. Lists of tensors get no gradient.
autograd::edge_list edgesOf(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments) {
    autograd::edge_list edges;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!takesTensor(*schema.arguments()[i].type())) continue;
        const bool differentiable = isTensor(arguments[i]) && arguments[i].toTensor().requires_grad();
        edges.push_back(differentiable ? autograd::impl::gradient_edge(arguments[i].toTensor()) : autograd::Edge());
    }
    return edges;
}

bool anyRequiresGrad(c10::ArrayRef<c10::IValue> arguments) {
    bool any = false;
    for (const auto& argument : arguments)
        forEachTensor(argument, [&](const at::Tensor& t) { any = any || (t.defined() && t.requires_grad()); });
    return any;
}

template <typename Pointer>
void linkResults(const c10::FunctionSchema& schema, Stack& stack, const Pointer& node) {
    const auto results = torch::jit::last(stack, schema.returns().size());
    for (const c10::IValue& result : results)
        forEachTensor(result, [&](const at::Tensor& t) {
            if (!t.defined()) return;
            if (at::isFloatingType(t.scalar_type()) || at::isComplexType(t.scalar_type()))
                autograd::set_history(t, node);
            else node->add_input_metadata(autograd::Node::undefined_input());
        });
    node->saveResults(results);
}

}  // namespace

void runDefinedWithGradient(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
    const auto& schema = op.schema();
    decltype(makeAutogradNode<DefinedBackward>(op, nullptr)) node;
    const auto arguments = torch::jit::last(*stack, schema.arguments().size());
    if (at::GradMode::is_enabled() && anyRequiresGrad(arguments)) {
        auto definition = definitionOf(op.operator_name());
        const bool known = definition && definition->gradient;
        node = makeAutogradNode<DefinedBackward>(op, std::move(definition));
        node->set_next_edges(edgesOf(schema, arguments));
        if (known) node->saveArguments(schema, arguments);
    }
    {
        const at::AutoDispatchBelowADInplaceOrView below;
        op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
    if (node) linkResults(schema, *stack, node);
}

}  // namespace aotscope
