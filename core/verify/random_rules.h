#pragma once

#include "aten/dispatch_mode.h"
#include "ops/decomposition_table.h"

#include <memory>
#include <optional>

namespace aotscope {

/// The rule by which `table` draws the random numbers of `op`. Null if it has none, or draws none.
const DecompositionRow* randomRule(const DecompositionTable* table, const c10::OperatorHandle& op);

/// Whether `table`, which may be null, has a rule for an operation that draws random numbers.
bool drawsByRules(const std::shared_ptr<const DecompositionTable>& table);

/// Runs operations as they are, except that those that draw random numbers draw them as the rules of `table` do.
class RandomRulesHandler : public DispatchHandler {
public:
    explicit RandomRulesHandler(std::shared_ptr<const DecompositionTable> table) : table_(std::move(table)) {}
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack& stack) override;

private:
    std::shared_ptr<const DecompositionTable> table_;
};

/// For its life time, operations of this thread that draw random numbers draw them as the rules of `table` do, so that
/// a run of the program as it is can be compared with a decomposed one. Does nothing for a table without such rules.
class RandomRules {
public:
    explicit RandomRules(std::shared_ptr<const DecompositionTable> table);

private:
    RandomRulesHandler handler_;
    std::optional<DispatchScope> scope_;
};

}  // namespace aotscope
