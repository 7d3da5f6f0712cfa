#pragma once

#include "trace/fake_inputs.h"

namespace aotscope {

/// The inputs of a functionalized run.
struct WrappedInputs {
    const FakeInputs& fakes;                                         ///< the inputs
    const std::vector<c10::IValue>& wrapped;                         ///< their wrappers after the run
    const std::vector<const torch::autograd::Node*>& historyBefore;  ///< their autograd nodes before the run
    /// The metadata of each input after the original program, if known: functional values have different layouts.
    const std::vector<std::optional<TensorType>>& after;
};

/// The mutations of the inputs in the run. Throws Error for a mutation that the wrapper cannot repeat.
std::vector<InputInfo> analyzeInputs(const GraphFunction& function, const WrappedInputs& inputs,
                                     bool keepInputMutations);

}  // namespace aotscope
