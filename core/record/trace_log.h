#pragma once

#include "record/file_access.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// A location in Python source, as in a traceback.
struct CodePlace {
    std::string file;
    std::int64_t line = 0;
    std::string function, code;  ///< the line's text, if the log has it

    bool known() const { return !file.empty(); }
    friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

/// "model.py:7 in forward", with only the last part of the path.
std::string shortPlace(const CodePlace& place);

/// The subject of a record of TORCH_TRACE.
enum class LogTopic : std::uint8_t {
    graphs,
    recompilations,
    graphBreaks,
    guards,
    shapes,  ///< symbols, their guards, specializations
    caches,
    partitioner,
    metadata,
    code,
    collectives,
    times,    ///< events of a Chrome trace
    metrics,  ///< counts and durations of a compilation
    failures,
    inputs,    ///< descriptions of tensors and their origins
    settings,  ///< versions, configurations, interned names
    other      ///< unknown: shown as text
};
std::string_view nameOf(LogTopic topic);

/// One record of a trace: a line of JSON, and the lines after it that begin with a tab. Only its position: both are
/// read on demand.
struct LogRecord {
    std::uint64_t offset = 0;   ///< of its first line
    std::uint64_t payload = 0;  ///< bytes after the first line
    std::uint64_t line = 0;     ///< from 1
    std::uint32_t head = 0;     ///< bytes of the first line, including its line end
    std::uint32_t name = 0;     ///< index in TraceLog::names
    std::uint32_t attempt = 0;  ///< Dynamo restarts after a graph break
};

/// What PyTorch compiled under one compile id.
struct TracedCompile {
    /// "0/1": frame and compilation; "!0/2/0" within compiled autograd; "0/1#2" after Dynamo restarts its numbering.
    std::string id;
    std::uint32_t session = 0;  ///< the number of such restarts: torch._dynamo.reset()
    CodePlace code;             ///< the function
    std::vector<LogRecord> records;
    std::vector<std::pair<std::string, std::int64_t>> symbols;  ///< sizes with their values during tracing

    /// "0" for "0/1", "0#2" for "0/1#2".
    std::string frame() const;
    std::uint64_t attempts() const;
};

/// An unreadable part of a log.
struct LogProblem {
    std::uint64_t line = 0;
    std::string text;
};

/// A file written by TORCH_TRACE: the compilations, and the positions of their records.
struct TraceLog {
    std::filesystem::path path;
    std::shared_ptr<const FileAccess> files;  ///< read it
    std::int64_t written = 0;                 ///< when, as the file system counts
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    std::optional<int> rank;
    std::vector<std::string> names;       ///< of records: "aot_joint_graph", "recompile_reasons"
    std::vector<std::string> sources;     ///< Python files, by their number in stacks
    std::vector<TracedCompile> compiles;  ///< in order of their first records
    std::vector<LogRecord> outside;       ///< records outside of compilations
    std::vector<LogProblem> problems;     ///< the first ones
    std::uint64_t moreProblems = 0;
    std::uint64_t recordCount = 0;

    const std::string& nameOf(const LogRecord& record) const { return names[record.name]; }
    /// Null if it does not exist.
    const TracedCompile* find(std::string_view id) const;
    /// The earlier compilation that `compile` refers to by `id`, or null.
    const TracedCompile* before(const TracedCompile& compile, std::string_view id) const;
};

/// A function with all its compilations, and its resume functions after graph breaks.
struct TracedFrame {
    std::string id;
    CodePlace code;
    std::vector<std::size_t> compiles;  ///< indices of TraceLog::compiles
    std::vector<std::size_t> resumed;   ///< indices in the list of frames
    bool resumes = false;               ///< it resumes another one
};
std::vector<TracedFrame> framesOf(const TraceLog& log);

}  // namespace aotscope
