#pragma once

#include "trace/fake_inputs.h"
#include "trace/trace.h"

namespace aotscope {

/// The placeholders of a function's inputs in `recorder`, and the inputs wrapped for functionalization.
/// `mergeDuplicates`: inputs that are the same tensor get one wrapper, that of the first.
std::vector<c10::IValue> recordFunctionalInputs(Recorder& recorder, const GraphFunction& function,
                                                const FakeInputs& fakes, bool joint, bool mergeDuplicates);

/// Lets the graph overwrite the inputs whose mutations are part of it; `inputs` are their wrappers after the run.
void writeBackInGraph(Recorder& recorder, const FunctionMetadata& metadata, const FakeInputs& fakes,
                      const std::vector<c10::IValue>& inputs);

}  // namespace aotscope
