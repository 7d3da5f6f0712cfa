#pragma once

#include "program/higher_order.h"

#include <optional>
#include <vector>

namespace aotscope {

/// A step of a loop, divided for its gradient. Counterpart of HopPartitionedGraph in
/// torch/_higher_order_ops/partitioner.py.
struct SplitStep {
    c10::IValue forward;   ///< operands -> (results, saved values that are no operands)
    c10::IValue backward;  ///< (saved values, tangents of differentiable results) -> a gradient for every operand
    std::vector<std::optional<std::size_t>> saved;  ///< of each saved value, the operand that it is
};

/// Decides what the steps of a loop save.
class StepSplitter {
public:
    virtual ~StepSplitter() = default;
    /// `operands`: what `step` gets; `wanted`: those whose gradients are asked for.
    virtual SplitStep split(const c10::IValue& step, const std::vector<TensorShape>& operands,
                            const std::vector<bool>& wanted) const = 0;
};

/// Makes `splitter` the calling thread's during its lifetime; null: none.
class StepSplitterScope {
public:
    explicit StepSplitterScope(const StepSplitter* splitter);
    ~StepSplitterScope();
    StepSplitterScope(const StepSplitterScope&) = delete;
    StepSplitterScope& operator=(const StepSplitterScope&) = delete;

private:
    const StepSplitter* outer_;
};

/// By the thread's splitter. Without one, as in an eager run, a step saves its operands, and its backward computes the
/// rest again. `real`: with the random numbers that the forward has drawn.
SplitStep splitStep(const c10::IValue& step, const std::vector<TensorShape>& operands, const std::vector<bool>& wanted,
                    bool real);

}  // namespace aotscope
