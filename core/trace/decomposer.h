#pragma once

#include "ir/rewrite.h"
#include "ops/decompositions/decomposition.h"
#include "trace/traced_graph.h"

#include <ATen/core/stack.h>

#include <memory>
#include <vector>

namespace aotscope {

/// Replaces operations by the calls in a table's rules, and records the replacements.
class Decomposer {
public:
    /// Null: no decompositions.
    void setTable(std::shared_ptr<const ChosenDecompositions> table) { table_ = std::move(table); }

    const std::shared_ptr<const ChosenDecompositions>& table() const { return table_; }

    /// Runs the rule for `op`, if there is one. Its calls arrive in dispatch, like everything else.
    bool run(const c10::OperatorHandle& op, torch::jit::Stack& stack, TracedGraph& graph);
    /// Whether a rule is running.
    bool isRunning() const { return current_ >= 0; }

    /// What autograd puts between a saved output and its use in the backward: an alias if the table decomposes detach.
    SavedOutput savedOutput() const;

    const std::vector<Rewrite>& rewrites() const { return rewrites_; }

private:
    int begin(const c10::OperatorHandle& op, const DecompositionRow& row, c10::ArrayRef<c10::IValue> args,
              TracedGraph& graph);

    std::shared_ptr<const ChosenDecompositions> table_;
    std::vector<Rewrite> rewrites_;
    int current_ = -1;  ///< index of the rewrite whose rule is running
};

}  // namespace aotscope
