#pragma once

#include "ops/dialect.h"
#include "program/split_step.h"

namespace aotscope {

/// Splits the steps of loops by the min-cut partitioner with default options, whichever partitioner is used for the
/// joint graph. Counterpart of HopGraphMinCutPartitioner in torch/_higher_order_ops/partitioner.py.
class StepPartitioner final : public StepSplitter {
public:
    explicit StepPartitioner(Dialect dialect) : dialect_(dialect) {}
    SplitStep split(const c10::IValue& step, const std::vector<TensorShape>& operands,
                    const std::vector<bool>& wanted) const override;

private:
    Dialect dialect_;
};

}  // namespace aotscope
