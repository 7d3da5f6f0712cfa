#pragma once

#include "aten/dispatch_mode.h"
#include "ops/decomposition_table.h"
#include "record/options.h"

#include <memory>
#include <optional>

namespace aotscope {

/// The rule by which `table` draws random numbers for `op`. Null if it has none, or `op` draws none.
const DecompositionRow* randomRule(const DecompositionTable* table, const c10::OperatorHandle& op);

/// Whether `table`, which may be null, has a rule for a random operation.
bool drawsByRules(const std::shared_ptr<const DecompositionTable>& table);

/// Runs operations unchanged, except that random ones draw their numbers by the rules of the options' table if it has
/// such rules, and that recurrent layers on a GPU draw LibTorch's numbers rather than cuDNN's.
class RandomRulesHandler : public DispatchHandler {
public:
    explicit RandomRulesHandler(const Options& options)
        : table_(drawsByRules(options.decompositions) ? options.decompositions : nullptr), dialect_(options.dialect) {}
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack& stack) override;

private:
    std::shared_ptr<const DecompositionTable> table_;
    Dialect dialect_;
};

/// During its lifetime, random operations of this thread draw their numbers by the rules of the options' table, so that
/// the original program can be compared with a decomposed one. Does nothing on the CPU for a table without such rules.
class RandomRules {
public:
    explicit RandomRules(const Options& options);

private:
    RandomRulesHandler handler_;
    std::optional<DispatchScope> scope_;
};

}  // namespace aotscope
