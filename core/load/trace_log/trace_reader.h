#pragma once

#include "record/trace_log.h"
#include "support/text_encoding.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// Reads records of an indexed trace.
class TraceReader {
public:
    static constexpr std::uint64_t kLargest = std::uint64_t{256} << 20;

    /// `log` must outlive it. Throws Error if the file cannot be read, Cancelled.
    explicit TraceReader(const TraceLog& log, const Progress& progress = {});

    /// The first line, without the log prefix. Throws Error, like the others, if it is too large, or the file has
    /// changed.
    std::string head(const LogRecord& record) const;
    /// The text after the first line, without tabs.
    std::string payload(const LogRecord& record) const;
    /// Whether the payload matches the hash in the first line. True without a hash.
    bool isWhole(const LogRecord& record) const;

    /// The value of the record's own member in the first line. Throws nlohmann::json::exception, Error.
    nlohmann::json metadata(const LogRecord& record) const;

private:
    std::string bytes(std::uint64_t offset, std::uint64_t count, std::uint64_t line) const;

    const TraceLog& log_;
    std::unique_ptr<const OpenFile> file_;
    TextEncoding encoding_;
};

}  // namespace aotscope
