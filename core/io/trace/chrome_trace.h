#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// A training step or an inference in the Trace Event Format, which Perfetto and chrome://tracing read. Every operation
/// lasts its median and follows the previous one; forward and backward have one track each, on which modules enclose
/// their operations; one counter shows the measured memory, another the predicted memory.
nlohmann::json chromeTrace(const TimingResult& timing, const CompileRecord& record);

}  // namespace aotscope
