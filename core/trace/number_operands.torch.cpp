#include "trace/number_operands.h"

#include "aten/convert.h"

#include <unordered_map>

namespace aotscope {

namespace {

using Overloads = std::unordered_map<c10::OperatorName, c10::OperatorHandle>;

/// Maps overloads for a number to those for a tensor; their other arguments are the same.
const Overloads& overloadsForTensors() {
    static const Overloads overloads = [] {
        Overloads all;
        const auto add = [&all](const std::string& name, const char* forNumber, const char* forTensor) {
            const auto number = c10::Dispatcher::singleton().findSchema({"aten::" + name, forNumber});
            const auto tensor = c10::Dispatcher::singleton().findSchema({"aten::" + name, forTensor});
            if (number && tensor) all.emplace(number->operator_name(), *tensor);
        };
        for (const std::string name : {"add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide"}) {
            add(name, "Scalar", "Tensor");
            add(name + "_", "Scalar", "Tensor");
        }
        for (const std::string name : {"div", "divide"}) {
            add(name, "Scalar_mode", "Tensor_mode");
            add(name + "_", "Scalar_mode", "Tensor_mode");
        }
        add("floor_divide", "Scalar", "");
        add("floor_divide_", "Scalar", "Tensor");
        return all;
    }();
    return overloads;
}

}  // namespace

bool callWithTensorOperand(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const auto found = overloadsForTensors().find(op.operator_name());
    if (found == overloadsForTensors().end()) return false;
    c10::IValue& number = torch::jit::peek(stack, 1, op.schema().arguments().size());
    if (!number.isScalar()) return false;
    number = wrappedNumber(number.toScalar());
    found->second.callBoxed(stack);
    return true;
}

}  // namespace aotscope
