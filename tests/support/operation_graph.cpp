#include "support/operation_graph.h"

#include "aten/convert.h"

#include <ATen/Functions.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <limits>

namespace aotscope::test {

std::unique_ptr<Graph> operationGraph(const std::string& op, const Values& arguments, const Values& results) {
    auto graph = std::make_unique<Graph>("g");
    const auto placeholder = [&](const at::Tensor& tensor) {
        return Argument(graph->addPlaceholder("x", ValueType{typeOf(tensor)}));
    };
    const auto& declared = c10::Dispatcher::singleton()
                               .findSchemaOrThrow(operatorName(op).name.c_str(), operatorName(op).overload_name.c_str())
                               .schema();
    std::vector<Argument> args;
    KeywordArguments kwargs;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const c10::Argument& argument = declared.arguments()[i];
        Argument given = toArgument(arguments[i], *argument.real_type(), placeholder);
        if (argument.kwarg_only()) kwargs.emplace_back(argument.name(), std::move(given));
        else args.push_back(std::move(given));
    }
    TupleType types;
    for (const c10::IValue& result : results) types.push_back(ValueType{typeOf(result.toTensor())});
    const bool one = types.size() == 1;
    Node* call = graph->addCall(op, std::move(args), std::move(kwargs), one ? types[0] : ValueType{types});
    std::vector<Argument> outputs;
    for (std::size_t i = 0; i < types.size(); ++i)
        outputs.emplace_back(
            one ? call : graph->addCall("operator.getitem", {call, static_cast<std::int64_t>(i)}, {}, types[i]));
    std::vector<OutputSlot> slots(outputs.size());
    graph->setOutput(std::move(outputs), std::move(slots));
    return graph;
}

Values tensorsAmong(const Values& values) {
    Values tensors;
    for (const c10::IValue& value : values) {
        if (value.isTensor() && value.toTensor().defined()) tensors.push_back(value);
        if (!value.isList()) continue;
        for (const c10::IValue& within : tensorsAmong(value.toListRef().vec())) tensors.push_back(within);
    }
    return tensors;
}

void fillAtRandom(const at::Tensor& tensor, bool special) {
    if (tensor.scalar_type() == at::kBool) {
        tensor.random_(0, 2);
    } else if (!tensor.is_floating_point()) {
        tensor.copy_(at::randint(tensor.scalar_type() == at::kByte ? 0 : -4, 5, tensor.sizes(), at::kLong));
    } else {
        at::Tensor values = at::randn(tensor.sizes(), at::kDouble).mul(3);
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (special)
            for (const double value : {0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
                values = at::where(at::rand(tensor.sizes()).lt(0.06), at::scalar_tensor(value, at::kDouble), values);
        tensor.copy_(values);
    }
}

}  // namespace aotscope::test
