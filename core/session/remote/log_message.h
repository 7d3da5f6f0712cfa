#pragma once

#include "record/trace_log.h"

#include <string>
#include <string_view>

namespace aotscope {

/// What was found in a log of TORCH_TRACE, for an answer of the process that reads it.
std::string packedLog(const TraceLog& log);
/// Its content is not trusted: throws Error, a clause. It has no `files`.
TraceLog unpackedLog(std::string_view bytes);

}  // namespace aotscope
