#pragma once

#include "load/printed/log/log_index.h"

#include <string_view>

namespace aotscope {

/// The kind of a graph under this heading of TORCH_LOGS.
PrintedKind kindOfHeading(std::string_view heading);

/// Whether it is the heading of a graph before a pass is finished: the finished one is printed, too.
bool isIntermediate(std::string_view heading);

/// The kind of the payload of this TORCH_TRACE record; unknown if it is not a graph.
PrintedKind kindOfRecord(std::string_view name);

/// The topic of this TORCH_TRACE record.
LogTopic topicOf(std::string_view name);

}  // namespace aotscope
