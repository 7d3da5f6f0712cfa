#pragma once

#include "load/printed/log/log_index.h"

namespace aotscope {

/// The graphs of a trace as printed graphs. If Dynamo restarted a compilation, those of the last attempt.
LogIndex graphsIn(std::shared_ptr<const TraceLog> log);

}  // namespace aotscope
