#pragma once

#include "load/printed/log/log_index.h"

#include <string_view>

namespace aotscope {

/// Of a graph under this heading of TORCH_LOGS.
PrintedKind kindOfHeading(std::string_view heading);

/// Whether it is over a graph that a pass has not finished: the finished one is printed, too.
bool isIntermediate(std::string_view heading);

/// Of the payload of this record of TORCH_TRACE; unknown if it is no graph.
PrintedKind kindOfRecord(std::string_view record);

}  // namespace aotscope
