#include "program/higher_order.h"

#include "program/higher_order_gradient.h"
#include "program/higher_order_kernels.h"
#include "support/error.h"

#include <torch/library.h>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr std::array kOperators = {
    HigherOrderOperator{"cond",
                        "cond(Tensor pred, Any true_graph, Any false_graph, Tensor[] operands) -> Tensor[]",
                        {"true_graph", "false_graph"},
                        runCond,
                        condInputs,
                        condResults,
                        gradientOfCond},
    HigherOrderOperator{"map_impl",
                        "map_impl(Any body_graph, Tensor[] xs, Tensor[] args) -> Tensor[]",
                        {"body_graph", nullptr},
                        runMap,
                        mapInputs,
                        mapResults,
                        gradientOfMap},
    HigherOrderOperator{"while_loop",
                        "while_loop(Any cond_graph, Any body_graph, Tensor[] carried_inputs, Tensor[] "
                        "additional_inputs) -> Tensor[]",
                        {"while_loop_cond_graph", "while_loop_body_graph"},
                        runWhile,
                        whileInputs,
                        whileResults,
                        gradientOfWhileLoop},
    HigherOrderOperator{"while_loop_stack_output",
                        "while_loop_stack_output(Any cond_graph, Any body_graph, Tensor[] carried_inputs, Tensor[] "
                        "additional_inputs) -> Tensor[]",
                        {"while_loop_cond_graph", "while_loop_body_graph"},
                        runWhileStacked,
                        whileInputs,
                        whileStackedResults,
                        nullptr,
                        /*countsSteps=*/true},
    HigherOrderOperator{"scan",
                        "scan(Any combine_graph, Tensor[] init, Tensor[] xs, Tensor[] additional_inputs) -> Tensor[]",
                        {"scan_combine_graph", nullptr},
                        runScan,
                        scanInputs,
                        scanResults,
                        gradientOfScan},
    HigherOrderOperator{"associative_scan",
                        "associative_scan(Any combine_graph, Tensor[] xs, Tensor[] additional_inputs) -> Tensor[]",
                        {"associative_scan_combine_graph", nullptr},
                        runAssociativeScan,
                        associativeScanInputs,
                        associativeScanResults,
                        gradientOfAssociativeScan},
};

void runKernel(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const std::size_t count = op.schema().arguments().size();
    const HigherOrderCall call = higherOrderCall(op, torch::jit::last(*stack, count));
    c10::List<at::Tensor> results(findHigherOrder(op)->run(call));
    torch::jit::drop(*stack, count);
    stack->emplace_back(std::move(results));
}

TORCH_LIBRARY(higher_order, library) {
    for (const HigherOrderOperator& row : kOperators)
        if (row.countsSteps) library.def(row.schema, {at::Tag::dynamic_output_shape});
        else library.def(row.schema);
}

TORCH_LIBRARY_IMPL(higher_order, CompositeExplicitAutograd, library) {
    for (const HigherOrderOperator& row : kOperators)
        library.impl(row.name, torch::CppFunction::makeFromBoxedFunction<&runKernel>());
}

TORCH_LIBRARY_IMPL(higher_order, Autograd, library) {
    for (const HigherOrderOperator& row : kOperators)
        library.impl(row.name, torch::CppFunction::makeFromBoxedFunction<&differentiateHigherOrder>());
}

std::vector<c10::IValue> stackOf(const c10::OperatorHandle& op, const HigherOrderCall& call) {
    std::vector<c10::IValue> stack;
    std::size_t subgraph = 0, group = 0;
    for (const c10::Argument& declared : op.schema().arguments()) {
        if (declared.type()->kind() == c10::TypeKind::AnyType) stack.push_back(call.subgraphs[subgraph++]);
        else if (declared.type()->kind() == c10::TypeKind::TensorType) stack.emplace_back(call.groups[group++].at(0));
        else stack.emplace_back(c10::List<at::Tensor>(call.groups[group++]));
    }
    return stack;
}

}  // namespace

TensorShape shapeOf(const at::Tensor& tensor) {
    return {tensor.sizes().vec(), tensor.strides().vec(), tensor.scalar_type(), tensor.device()};
}

const HigherOrderOperator* findHigherOrder(std::string_view name) {
    const auto row = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const HigherOrderOperator& o) { return o.name == name; });
    return row == kOperators.end() ? nullptr : &*row;
}

const HigherOrderOperator* findHigherOrder(const c10::OperatorHandle& op) {
    constexpr std::string_view space = "higher_order::";
    const std::string_view name = op.operator_name().name;
    return name.starts_with(space) ? findHigherOrder(name.substr(space.size())) : nullptr;
}

TensorVector callHigherOrder(const char* name, const HigherOrderCall& call) {
    const auto op = c10::Dispatcher::singleton().findSchemaOrThrow((std::string("higher_order::") + name).c_str(), "");
    torch::jit::Stack stack = stackOf(op, call);
    op.callBoxed(stack);
    return stack.back().toTensorVector();
}

HigherOrderCall higherOrderCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
    HigherOrderCall call;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const c10::Argument& declared = op.schema().arguments()[i];
        if (declared.type()->kind() == c10::TypeKind::AnyType) {
            if (!subgraphFunction(arguments[i])) throw Error("argument '" + declared.name() + "' must be a graph");
            call.subgraphs.push_back(arguments[i]);
        } else if (arguments[i].isTensor()) {
            call.groups.push_back({arguments[i].toTensor()});
        } else {
            call.groups.push_back(arguments[i].toTensorVector());
        }
    }
    return call;
}

}  // namespace aotscope
