#pragma once

#include "record/compile_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// From the most to the least important.
enum class LogLevel : std::uint8_t { error, warning, info, debug };
std::string_view name(LogLevel level);

/// A line of a log.
struct LogEntry {
    LogLevel level = LogLevel::info;
    std::string part;  ///< its source: a pass, "load", "compilers"
    std::string text;
};

/// The events of a run of the pipeline, in order: every pass with its result and duration (info) and all its notes
/// (debug), the compilers of the graphs, warnings, and the reason of a failure.
std::vector<LogEntry> compileLog(const CompileRecord& record);

/// Entries up to `least`, a line each: "info     joint: 57 operations, 3.2 ms".
std::string logText(const std::vector<LogEntry>& entries, LogLevel least);

}  // namespace aotscope
