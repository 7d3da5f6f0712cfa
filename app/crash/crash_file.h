#pragma once

#include "crash/crash_text.h"

#include <ctime>
#include <filesystem>

namespace aotscope {

/// The file of a crash report, for a signal handler. Its folders are created when it is opened. A thread that may not
/// open files for writing has it opened by another one, which waits for that from the start.
class CrashFile {
public:
    /// Starts the thread that opens files for others.
    void prepare(const std::filesystem::path& folder);

    /// Names the file by the time and the process, and opens it. False: it cannot be opened.
    bool open(std::time_t now);
    void write(std::string_view text) const;
    std::string_view path() const { return path_.view(); }

private:
    int openHere();
    int askHelper();
    void serve();

    CrashText<3000> folder_;
    CrashText<3100> path_;
    int file_ = -1;
    std::array<int, 2> question_{-1, -1}, answer_{-1, -1};  ///< pipes to and from the helper
    int process_ = 0;                                       ///< that has the helper: a forked child has none
};

/// Writes all of it, or as much as possible; for a signal handler.
void writeAll(int file, std::string_view text);

/// As in 2026-11-22T20:14:05Z, or in 20261122-201405; for a signal handler.
CrashText<32> utcTime(std::time_t now, bool signs);

/// Keeps the `kept` latest reports in `folder`.
void removeOldCrashReports(const std::filesystem::path& folder, std::size_t kept);

}  // namespace aotscope
