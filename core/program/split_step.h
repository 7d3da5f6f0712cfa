#pragma once

#include "program/higher_order.h"

#include <optional>
#include <vector>

namespace aotscope {

/// A step of a loop, split for its gradient. Counterpart of HopPartitionedGraph in
/// torch/_higher_order_ops/partitioner.py.
struct SplitStep {
    c10::IValue forward;   ///< operands -> (results, saved values other than operands)
    c10::IValue backward;  ///< (saved values, tangents of differentiable results) -> a gradient for every operand
    std::vector<std::optional<std::size_t>> saved;  ///< for each saved value, the operand that it is, if any
};

/// Decides what the steps of a loop save.
class StepSplitter {
public:
    virtual ~StepSplitter() = default;
    /// `operands`: those of `step`; `wanted`: the ones whose gradients are requested.
    virtual SplitStep split(const c10::IValue& step, const std::vector<TensorShape>& operands,
                            const std::vector<bool>& wanted) const = 0;
};

/// Makes `splitter`, which may be null, that of the calling thread during its lifetime.
class StepSplitterScope {
public:
    explicit StepSplitterScope(const StepSplitter* splitter);
    ~StepSplitterScope();
    StepSplitterScope(const StepSplitterScope&) = delete;
    StepSplitterScope& operator=(const StepSplitterScope&) = delete;

private:
    const StepSplitter* outer_;
};

/// Uses the thread's splitter. Without one, as in an eager run, a step saves its operands, and its backward recomputes
/// the rest. `real`: with the random numbers of the forward.
SplitStep splitStep(const c10::IValue& step, const std::vector<TensorShape>& operands, const std::vector<bool>& wanted,
                    bool real);

}  // namespace aotscope
