#pragma once

#include "trace/trace.h"

#include <ATen/core/ivalue.h>

#include <vector>

namespace aotscope {

/// How the outputs of a functionalized run alias its inputs and each other; both are wrapped.
/// Source of the order of cases: PyTorch's run_functionalized_fw_and_collect_metadata.
/// `written`: for every input, whether its memory is written to, be it through another input.
/// `asWritten` tells of copies that functional values, which have layouts of their own, do not need (contiguous).
std::vector<OutputInfo> analyzeOutputs(const std::vector<bool>& written, const std::vector<c10::IValue>& inputs,
                                       const std::vector<c10::IValue>& outputs, const ForwardTrace& asWritten);

}  // namespace aotscope
