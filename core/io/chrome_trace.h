#pragma once

#include "record/compile_record.h"
#include "record/results.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// A training step, or an inference, in the Trace Event Format that Perfetto and chrome://tracing read. Every step
/// lasts its median and follows the one before it; forward and backward have a track each, on which modules enclose
/// their operations; a counter has the memory that was measured, another what was predicted.
nlohmann::json chromeTrace(const TimingResult& timing, const CompileRecord& record);

}  // namespace aotscope
