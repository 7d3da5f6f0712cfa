#pragma once

#include "load/printed/syntax/line_reader.h"
#include "record/trace_log.h"
#include "support/progress.h"

#include <map>
#include <unordered_map>

namespace aotscope {

struct Envelope;

/// Finds the records of a trace in one pass: examines first lines, and skips payloads. A growing log is read further
/// from where it ended.
class TraceIndexer {
public:
    explicit TraceIndexer(std::filesystem::path path);

    /// Reads what was added since the last call; false if there is nothing. Throws Error if the file cannot be read,
    /// Cancelled.
    bool advance(const Progress& progress);
    /// What has been found so far. An incomplete record at the end is a problem, or left out while the log is growing.
    enum class End : std::uint8_t { final, growing };
    TraceLog log(End end = End::final) const;
    /// The same for a complete file, without a copy.
    TraceLog take() &&;

private:
    void line(const FileLine& line, bool ended);
    void record(const FileLine& line, std::size_t prefix, bool ended);
    void keep(const Envelope& envelope, const FileLine& line, std::string_view text);
    void payloadLine(const FileLine& line, bool ended);
    void beginSession(const Envelope& envelope);
    std::vector<LogRecord>& recordsOf(const Envelope& envelope);
    void learn(const Envelope& envelope, std::string_view text, std::uint64_t line);
    void finish(TraceLog& log, End end) const;
    void problem(std::uint64_t line, std::string text);

    TraceLog log_;
    std::uint64_t position_ = 0;  ///< where reading continues
    std::uint64_t lineNumber_ = 0;
    std::map<std::string, std::uint32_t, std::less<>> nameNumbers_;
    std::unordered_map<std::string, std::size_t> compileNumbers_;  ///< of this session
    std::unordered_map<std::string, std::uint32_t> occurrences_;   ///< by id
    /// How far each compilation is known to have come.
    struct Start {
        bool begun = false;     ///< dynamo_start was found
        std::size_t event = 0;  ///< the record of the last event that began Dynamo's work; 0 if there is none
        bool sized = false;     ///< symbols were searched for in the sizes of Dynamo's graph
    };
    std::vector<Start> starts_;
    std::uint32_t session_ = 0;
    enum class Event : std::uint8_t { none, chromium, ofDynamo } event_ = Event::none;  ///< the record's payload
    /// The compilation of the record whose payload may follow; nothing if it belongs to none.
    std::optional<std::size_t> owner_;
    bool inRecord_ = false, hasPayload_ = false, full_ = false;
    std::optional<LogProblem> tail_;
};

/// Indexes a whole file.
TraceLog indexTrace(const std::filesystem::path& path, const Progress& progress);

}  // namespace aotscope
