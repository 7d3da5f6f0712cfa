#pragma once

#include "trace/fake_inputs.h"

namespace aotscope {

/// The inputs of a functionalized run.
struct WrappedInputs {
    const FakeInputs& fakes;                                         ///< what went in
    const std::vector<c10::IValue>& wrapped;                         ///< their wrappers after the run
    const std::vector<const torch::autograd::Node*>& historyBefore;  ///< who had made each wrapper before the run
    /// How the program as written leaves each input, where that is known: functional values have layouts of their own.
    const std::vector<std::optional<TensorType>>& after;
};

/// What the run has done to its inputs. Throws Error for a mutation that no wrapper can repeat.
std::vector<InputInfo> analyzeInputs(const GraphFunction& function, const WrappedInputs& inputs,
                                     bool keepInputMutations);

}  // namespace aotscope
