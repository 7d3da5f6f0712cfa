#include "execute/plan.h"

#include "aten/convert.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// A number that a subgraph reads from a tensor is a tensor during tracing.
void requireKnown(const c10::IValue& number) {
    if (number.isTensor() && number.toTensor().defined() &&
        number.toTensor().unsafeGetTensorImpl()->is_wrapped_number())
        throw Error(
            "a graph that an operator such as cond runs computes with a number that it reads from a tensor, or has a "
            "size that follows from it; compute with the tensor, or outside of that graph");
}

c10::IValue elementOf(const c10::Type& type, const c10::IValue& value) {
    switch (type.kind()) {
        case c10::TypeKind::TensorType: return value.toTensor();
        case c10::TypeKind::OptionalType: return value.isTensor() ? value : c10::IValue();
        case c10::TypeKind::IntType: requireKnown(value); return value.toInt();
        case c10::TypeKind::FloatType: requireKnown(value); return value.toScalar().toDouble();
        case c10::TypeKind::BoolType: requireKnown(value); return value.toBool();
        default: return value;
    }
}

/// Literal lists are shared by all runs: each needs its own copy before elements are set.
void setElement(c10::IValue& list, std::size_t i, const c10::IValue& value, bool first) {
    auto elements = first ? list.toList().copy() : list.toList();
    elements.set(i, elementOf(*elements.elementType(), value));
    if (first) list = elements;
}

c10::IValue converted(c10::IValue value, PlanOperand::Convert convert) {
    using Convert = PlanOperand::Convert;
    if (convert == Convert::tensor && value.isScalar()) return wrappedNumber(value.toScalar());
    if (convert == Convert::real && value.isInt()) return static_cast<double>(value.toInt());
    return value;
}

/// Nothing else holds its memory, and its elements do not overlap, whatever the graph claims. A lazily conjugated or
/// negated tensor would stay one.
bool mayBeOverwritten(const c10::IValue& value) {
    if (!value.isTensor()) return false;
    const at::Tensor& tensor = value.toTensor();
    return tensor.use_count() == 1 && tensor.storage().use_count() == 1 && tensor.is_non_overlapping_and_dense() &&
           !tensor.is_conj() && !tensor.is_neg();
}

std::string nameOf(const PlanStep& step) {
    return step.op ? graphName(step.op->operator_name()) : std::string("an operation");
}

/// A printed graph may use results that its operation does not have.
void requireUnused(const PlanStep& step, std::size_t result, std::size_t count) {
    if (std::ranges::find(step.releases, step.results[result]) != step.releases.end()) return;
    throw Error(nameOf(step) + " has " + counted(count, "result") + "; the graph takes result " +
                std::to_string(result));
}

/// Replaces lists by their elements.
void unpackLists(const PlanStep& step, torch::jit::Stack& stack) {
    torch::jit::Stack results;
    for (const c10::IValue& result : stack) {
        if (!result.isList()) results.push_back(result);
        else
            for (const c10::IValue& element : result.toListRef()) results.push_back(element);
    }
    if (step.allResults && results.size() != step.results.size())
        throw Error(nameOf(step) + " makes " + counted(results.size(), "tensor") + " where the model expects " +
                    std::to_string(step.results.size()) + "; export it again for inputs of these sizes");
    stack = std::move(results);
}

}  // namespace

void loadArguments(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) {
    stack.assign(step.arguments.begin(), step.arguments.end());
    std::size_t listed = stack.size();  // the argument whose elements are being set
    for (const auto& operand : step.operands) {
        c10::IValue& source = registers[registerIndex(operand.source)];
        c10::IValue value = operand.last ? std::move(source) : source;
        c10::IValue& target = stack[operand.argument];
        if (!operand.element) target = converted(std::move(value), operand.convert);
        else setElement(target, *operand.element, value, std::exchange(listed, operand.argument) != operand.argument);
    }
}

void executeStep(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) {
    loadArguments(step, registers, stack);
    if (step.arithmetic) {
        std::ranges::for_each(stack, requireKnown);
        const c10::IValue result = step.arithmetic(stack);
        stack.assign(1, result);
        return;
    }
    if (step.kernel) step.kernel->call(stack);
    else if (step.op) (step.inPlace && mayBeOverwritten(stack[0]) ? *step.inPlace : *step.op).callBoxed(stack);
    else stack.clear();
    if (step.listResult) unpackLists(step, stack);
}

void storeResults(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) {
    for (std::size_t i = 0; i < step.results.size(); ++i) {
        if (step.results[i] == kUnused) continue;
        if (i < stack.size()) registers[registerIndex(step.results[i])] = std::move(stack[i]);
        else requireUnused(step, i, stack.size());
    }
    stack.clear();
    for (Register r : step.releases) registers[registerIndex(r)] = {};
}

}  // namespace aotscope
