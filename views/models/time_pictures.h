#pragma once

#include "models/tables/table_content.h"
#include "models/time_bars.h"

namespace aotscope {

/// Where time goes: forward and backward side by side, below them the modules, each once, and their operations.
TimePicture flamePicture(const TimingResult& timing, const CompileRecord& record);

/// What runs when: all operations in order, in their modules, with the memory that is in use.
TimePicture timelinePicture(const TimingResult& timing, const CompileRecord& record);

/// What every module takes. `timing` may be null: nothing has been timed yet.
TableContent moduleTable(const TimingResult* timing, const CompileRecord& record);

}  // namespace aotscope
