#pragma once

#include "support/file.h"
#include "support/progress.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace aotscope {

struct TraceLog;

/// A file open for reading.
class OpenFile {
public:
    virtual ~OpenFile() = default;
    /// Up to `count` bytes starting at `offset`; fewer only at the end of the file. Throws Error, Cancelled.
    virtual std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const = 0;
    /// Hands all of it to `sink`, in pieces.
    void readAll(const ByteSink& sink) const;
};

/// Reads models and logs: in this process, or in that of an engine, here or on another machine. Usable from any thread.
class FileAccess {
public:
    virtual ~FileAccess() = default;
    /// Throws Error with the path, Cancelled, at the latest when it is first read.
    virtual std::unique_ptr<const OpenFile> open(const std::filesystem::path& file,
                                                 const Progress& progress = {}) const = 0;
    /// The logs of TORCH_TRACE in a folder, or the log itself, in the order of traceLogsAt; empty for anything else.
    virtual std::vector<std::filesystem::path> logsAt(const std::filesystem::path& place,
                                                      const Progress& progress) const = 0;
    /// Finds the records of such a log. Throws Error, Cancelled.
    virtual std::shared_ptr<const TraceLog> readLog(const std::filesystem::path& log,
                                                    const Progress& progress) const = 0;
};

}  // namespace aotscope
