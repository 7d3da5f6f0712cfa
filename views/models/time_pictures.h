#pragma once

#include "models/tables/table_content.h"
#include "models/time_bars.h"

namespace aotscope {

/// How time is distributed: forward and backward side by side, below them the modules, each once, and operations.
TimePicture flamePicture(const TimingResult& timing, const CompileRecord& record);

/// The order of execution: all operations in their modules, with the memory in use.
TimePicture timelinePicture(const TimingResult& timing, const CompileRecord& record);

/// The times of modules. `timing` may be null: not timed yet.
TableContent moduleTable(const TimingResult* timing, const CompileRecord& record);

}  // namespace aotscope
