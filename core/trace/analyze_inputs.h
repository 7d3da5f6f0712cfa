#pragma once

#include "trace/fake_inputs.h"

namespace aotscope {

/// The inputs of a functionalized run.
struct WrappedInputs {
    const FakeInputs& fakes;                                         ///< the inputs
    const std::vector<c10::IValue>& wrapped;                         ///< their wrappers after the run
    const std::vector<const torch::autograd::Node*>& historyBefore;  ///< their autograd nodes before the run
    /// How the program as written leaves each input, if known: functional values have layouts of their own.
    const std::vector<std::optional<TensorType>>& after;
};

/// The mutations of the inputs by the run. Throws Error for a mutation that the wrapper cannot repeat.
std::vector<InputInfo> analyzeInputs(const GraphFunction& function, const WrappedInputs& inputs,
                                     bool keepInputMutations);

}  // namespace aotscope
