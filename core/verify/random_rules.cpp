#include "verify/random_rules.h"

#include "aten/convert.h"
#include "ops/before_autograd/rules.h"
#include "ops/decomposition.h"
#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

const DecompositionRow* randomRule(const DecompositionTable* table, const c10::OperatorHandle& op) {
    const std::string name = graphName(op.operator_name());
    return table && (opTags(name) & kRandom) ? table->find(name) : nullptr;
}

bool drawsByRules(const std::shared_ptr<const DecompositionTable>& table) {
    if (!table) return false;
    const auto entries = table->entries();
    return std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return opTags(entry.op) & kRandom; });
}

RandomRules::RandomRules(const Options& options) : handler_(options) {
    if (drawsByRules(options.decompositions)) scope_.emplace(handler_);
}

void RandomRulesHandler::dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const DecompositionRow* row = randomRule(table_.get(), op);
    if (row && row->run(stack)) return;
    const PlainKernelScope plain;
    op.callBoxed(stack);
}

/// Dropout becomes the operation that graphs have in its place, which the rules are for.
bool RandomRulesHandler::intercept(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack& stack) {
    if (!table_ || op.operator_name().name != "aten::dropout") return false;
    const auto rule = findBeforeAutograd(op.operator_name(), dialect_);
    return rule && rule(stack);
}

}  // namespace aotscope
