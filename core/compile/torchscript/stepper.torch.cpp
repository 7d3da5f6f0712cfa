#include "compile/torchscript/stepper.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

namespace aotscope {

namespace {

namespace jit = torch::jit;

template <typename T>
c10::IValue typedList(c10::ArrayRef<c10::IValue> values) {
    c10::List<T> list;
    for (const c10::IValue& value : values) list.push_back(value.to<T>());
    return list;
}

c10::IValue listOf(const c10::TypePtr& element, c10::ArrayRef<c10::IValue> values) {
    switch (element->kind()) {
        case c10::TypeKind::IntType: return typedList<int64_t>(values);
        case c10::TypeKind::FloatType: return typedList<double>(values);
        case c10::TypeKind::BoolType: return typedList<bool>(values);
        case c10::TypeKind::TensorType: return typedList<at::Tensor>(values);
        default: {
            c10::impl::GenericList list(element);
            for (const c10::IValue& value : values) list.push_back(value);
            return list;
        }
    }
}

/// Lists are instructions of TorchScript's interpreter, everything else is an operator.
jit::Operation operationOf(const jit::Node& node) {
    if (node.kind() == c10::prim::ListConstruct)
        return [element = node.output()->type()->expectRef<c10::ListType>().getElementType()](jit::Stack& stack) {
            stack = {listOf(element, stack)};
        };
    if (node.kind() == c10::prim::ListUnpack)
        return [](jit::Stack& stack) {
            const c10::IValue list = stack.back();
            stack.assign(list.toListRef().begin(), list.toListRef().end());
        };
    return node.getOperation();
}

}  // namespace

TorchScriptStepper::TorchScriptStepper(const TorchScriptGraph& source) {
    jit::Graph& graph = *source.graph;
    for (const jit::Value* input : graph.inputs()) inputs_.push_back(registerOf(input));
    for (jit::Node* node : graph.nodes()) {
        if (node->kind() == c10::prim::Constant) {
            initial_[registerOf(node->output())] = *jit::toIValue(node->output());
            continue;
        }
        const NodeId origin = source.origin(*node);
        if (stepNodes_.empty() || stepNodes_.back() != origin) {
            stepNodes_.push_back(origin);
            steps_.emplace_back();
        }
        steps_.back().calls.push_back(callOf(*node));
    }
    for (const jit::Value* output : graph.outputs()) outputs_.push_back(registerOf(output));
    markLastUses();
    registers_.clear();
}

TorchScriptStepper::Register TorchScriptStepper::registerOf(const jit::Value* value) {
    const auto [it, isNew] = registers_.try_emplace(value, initial_.size());
    if (isNew) initial_.emplace_back();
    return it->second;
}

TorchScriptStepper::Call TorchScriptStepper::callOf(jit::Node& node) {
    Call call{operationOf(node), {}, {}};
    for (const jit::Value* input : node.inputs()) call.operands.push_back({registerOf(input)});
    for (const jit::Value* output : node.outputs()) call.results.push_back(registerOf(output));
    return call;
}

void TorchScriptStepper::markLastUses() {
    std::vector<bool> used(initial_.size(), false);
    for (Register r : outputs_) used[r] = true;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
        for (auto call = step->calls.rbegin(); call != step->calls.rend(); ++call) {
            for (Register r : call->results)
                if (!used[r]) step->releases.push_back(r);
            for (auto operand = call->operands.rbegin(); operand != call->operands.rend(); ++operand) {
                operand->last = !used[operand->source];
                used[operand->source] = true;
            }
        }
    for (Register r : inputs_)
        if (!used[r]) unusedInputs_.push_back(r);
}

std::vector<c10::IValue> TorchScriptStepper::run(std::vector<c10::IValue>& args, StepObserver& observer) const {
    observer.arguments(args);
    std::vector<c10::IValue> registers = initial_;
    for (std::size_t i = 0; i < inputs_.size(); ++i) registers[inputs_[i]] = std::move(args[i]);
    args.clear();
    for (Register r : unusedInputs_) registers[r] = {};
    jit::Stack stack;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        observer.before(i);
        for (const Call& call : steps_[i].calls) {
            stack.clear();
            for (const Operand& operand : call.operands) {
                c10::IValue& source = registers[operand.source];
                stack.push_back(operand.last ? std::move(source) : source);
            }
            call.operation(stack);
            if (&call == &steps_[i].calls.back()) observer.results(i, stack);
            for (std::size_t r = 0; r < call.results.size(); ++r) registers[call.results[r]] = std::move(stack[r]);
        }
        stack.clear();
        for (Register r : steps_[i].releases) registers[r] = {};
        observer.after(i);
    }
    std::vector<c10::IValue> results;
    for (Register r : outputs_) results.push_back(registers[r]);
    return results;
}

}  // namespace aotscope
