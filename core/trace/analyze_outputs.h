#pragma once

#include "trace/trace.h"

#include <ATen/core/ivalue.h>

#include <vector>

namespace aotscope {

/// How the outputs of a functionalized run alias its inputs and each other; both are wrapped. The order of cases
/// follows run_functionalized_fw_and_collect_metadata in torch/_functorch/_aot_autograd/collect_metadata_analysis.py.
/// `written`: for every input, whether its memory is written, including through another input. `asWritten` has copies
/// (contiguous) that functional values, whose layouts differ, do not need. `names`: OutputInfo::name of each.
std::vector<OutputInfo> analyzeOutputs(const std::vector<bool>& written, const std::vector<c10::IValue>& inputs,
                                       const std::vector<c10::IValue>& outputs, const ForwardTrace& asWritten,
                                       const std::vector<std::string>& names);

}  // namespace aotscope
