#pragma once

#include "aten/dispatch_mode.h"
#include "ops/decompositions/decomposition.h"
#include "record/options/options.h"

#include <memory>
#include <optional>

namespace aotscope {

/// Runs operations unchanged, except that random ones draw their numbers as graphs do: by the rules of the options'
/// table, if any; LibTorch's rather than cuDNN's in recurrent layers on a GPU; and, into a non-contiguous tensor, in
/// the order of its elements rather than of its memory.
class RandomRulesHandler : public DispatchHandler {
public:
    explicit RandomRulesHandler(const Options& options);
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack& stack) override;
    /// Whether numbers were drawn in a different order than without it.
    bool reordered() const { return reordered_; }
    /// Whether the table has a rule for a random operation.
    bool drawsByRules() const { return rules_ != nullptr; }

private:
    std::shared_ptr<const ChosenDecompositions> rules_;  ///< null: they have none for random operations
    Dialect dialect_;
    bool reordered_ = false;
};

/// During its lifetime, random operations of this thread draw their numbers as graphs do, so that the original program
/// can be compared with them. `always`: also with regard to the order of elements; otherwise it does nothing on the CPU
/// for a table without rules.
class RandomRules {
public:
    explicit RandomRules(const Options& options, bool always = false);
    bool reordered() const { return handler_.reordered(); }

private:
    RandomRulesHandler handler_;
    std::optional<DispatchScope> scope_;
};

}  // namespace aotscope
