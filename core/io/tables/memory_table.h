#pragma once

#include "cost/live_memory.h"
#include "record/table.h"

namespace aotscope {

/// Values in memory at one point of the curve, largest first.
Table liveValueTable(const LiveMemory& memory, std::size_t point);

}  // namespace aotscope
