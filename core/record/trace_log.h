#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// A place in Python source, as a traceback shows it.
struct CodePlace {
    std::string file;
    std::int64_t line = 0;
    std::string function, code;  ///< the line's text, if the log has it

    bool known() const { return !file.empty(); }
    friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

/// "model.py:7 in forward", with the last part of the path only.
std::string shortPlace(const CodePlace& place);

/// What a record of TORCH_TRACE is about.
enum class LogTopic : std::uint8_t {
    graphs,
    recompilations,
    graphBreaks,
    guards,
    shapes,  ///< symbols, guards on them, specializations
    caches,
    partitioner,
    metadata,
    code,
    collectives,
    times,    ///< events of a Chrome trace
    metrics,  ///< counts and durations of a compilation
    failures,
    inputs,    ///< descriptions of tensors and where they come from
    settings,  ///< versions, configurations, interned names
    other      ///< not understood: shown as text
};
LogTopic topicOf(std::string_view name);
std::string_view nameOf(LogTopic topic);

/// One record of a trace: a line of JSON, and the lines behind tabs that follow it. Only its place: both are read on
/// demand.
struct LogRecord {
    std::uint64_t offset = 0;   ///< of its first line
    std::uint64_t payload = 0;  ///< bytes behind the first line
    std::uint64_t line = 0;     ///< from 1
    std::uint32_t head = 0;     ///< bytes of the first line, with its end
    std::uint32_t name = 0;     ///< in TraceLog::names
    std::uint32_t attempt = 0;  ///< Dynamo starts again after a graph break
};

/// What PyTorch compiled under one compile id.
struct TracedCompile {
    /// "0/1": frame and compilation; "!0/2/0" within compiled autograd; "0/1#2" after Dynamo has begun to count anew.
    std::string id;
    std::uint32_t session = 0;  ///< how often it has: torch._dynamo.reset()
    CodePlace code;             ///< the function
    std::vector<LogRecord> records;
    std::vector<std::pair<std::string, std::int64_t>> symbols;  ///< sizes with their traced values

    /// "0" of "0/1", "0#2" of "0/1#2".
    std::string frame() const;
    std::uint64_t attempts() const;
};

/// A part of a log that cannot be read.
struct LogProblem {
    std::uint64_t line = 0;
    std::string text;
};

/// A file that TORCH_TRACE wrote: what was compiled, and where the records of it are.
struct TraceLog {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    std::optional<int> rank;
    std::vector<std::string> names;       ///< of records: "aot_joint_graph", "recompile_reasons"
    std::vector<std::string> sources;     ///< Python files, as stacks number them
    std::vector<TracedCompile> compiles;  ///< by their first records
    std::vector<LogRecord> outside;       ///< records of no compilation
    std::vector<LogProblem> problems;     ///< the first ones
    std::uint64_t moreProblems = 0;
    std::uint64_t recordCount = 0;

    const std::string& nameOf(const LogRecord& record) const { return names[record.name]; }
    /// Null if there is none.
    const TracedCompile* find(std::string_view id) const;
    /// What `compile` means by `id`, a compilation before it; null if there is none.
    const TracedCompile* before(const TracedCompile& compile, std::string_view id) const;
};

/// A function with everything that was compiled for it, and the functions that continue it after graph breaks.
struct TracedFrame {
    std::string id;
    CodePlace code;
    std::vector<std::size_t> compiles;  ///< in TraceLog::compiles
    std::vector<std::size_t> resumed;   ///< in the list of frames
    bool resumes = false;               ///< it continues another one
};
std::vector<TracedFrame> framesOf(const TraceLog& log);

}  // namespace aotscope
