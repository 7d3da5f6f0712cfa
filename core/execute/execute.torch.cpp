#include "execute/plan.h"

#include "aten/convert.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Literal lists are shared by all runs: an own one is needed before elements are set.
void copyList(c10::IValue& list) {
    if (list.isTensorList()) list = list.toTensorList().copy();
    else if (list.isIntList()) list = list.toIntList().copy();
    else list = list.toOptionalTensorList().copy();
}

void setElement(c10::IValue& list, std::size_t i, const c10::IValue& value) {
    if (list.isTensorList()) list.toTensorList().set(i, value.toTensor());
    else if (list.isIntList()) list.toIntList().set(i, value.toInt());
    else list.toOptionalTensorList().set(i, value.toTensor());
}

/// Nothing else holds its memory, in which each element has a place of its own, whatever the graph says of it. A lazily
/// conjugated or negated tensor would stay one.
bool mayBeOverwritten(const c10::IValue& value) {
    if (!value.isTensor()) return false;
    const at::Tensor& tensor = value.toTensor();
    return tensor.use_count() == 1 && tensor.storage().use_count() == 1 && tensor.is_non_overlapping_and_dense() &&
           !tensor.is_conj() && !tensor.is_neg();
}

/// A graph that Python printed may take results that its operation does not have.
void requireUnused(const PlanStep& step, std::size_t result, std::size_t count) {
    if (std::ranges::find(step.releases, step.results[result]) != step.releases.end()) return;
    throw Error((step.op ? graphName(step.op->operator_name()) : std::string("an operation")) + " has " +
                counted(count, "result") + "; the graph takes result " + std::to_string(result));
}

}  // namespace

void executeStep(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) {
    stack.assign(step.arguments.begin(), step.arguments.end());
    for (const auto& operand : step.operands) {
        c10::IValue& source = registers[registerIndex(operand.source)];
        c10::IValue value = operand.last ? std::move(source) : source;
        c10::IValue& target = stack[operand.argument];
        if (!operand.element) {
            target = operand.wraps ? c10::IValue(wrappedNumber(value.toScalar())) : std::move(value);
        } else {
            if (&operand == &step.operands.front() || (&operand - 1)->argument != operand.argument) copyList(target);
            setElement(target, *operand.element, value);
        }
    }
    if (step.kernel) return step.kernel->call(stack);
    if (step.arithmetic) {
        const c10::IValue result = step.arithmetic(stack);
        stack.assign(1, result);
        return;
    }
    (step.inPlace && mayBeOverwritten(stack[0]) ? *step.inPlace : *step.op).callBoxed(stack);
    if (!step.listResult) return;
    const auto elements = stack.back().toTensorVector();
    stack.assign(elements.begin(), elements.end());
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
