#pragma once

#include "record/compile_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// From what has to be read to what is rarely wanted.
enum class LogLevel : std::uint8_t { error, warning, info, debug };
inline constexpr int kLogLevels = 4;
std::string_view name(LogLevel level);

/// A line of a log.
struct LogEntry {
    LogLevel level = LogLevel::info;
    std::string part;  ///< what says it: a pass, "load", "compilers"
    std::string text;
};

/// What happened in a run of the pipeline, in order: what every pass did and how long it took (info) with all that it
/// noted (debug), the compilers of the graphs, warnings, and why it failed.
std::vector<LogEntry> compileLog(const CompileRecord& record);

/// Those up to `least`, a line each: "info     joint: 57 operations, 3.2 ms".
std::string logText(const std::vector<LogEntry>& entries, LogLevel least);

}  // namespace aotscope
