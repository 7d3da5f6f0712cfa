#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What a crash report says of the program; found out while all is well.
struct CrashFacts {
    std::string version, torch;
    std::vector<std::string> command;
    std::filesystem::path folder;  ///< takes the reports; made when there is one
};

/// From now on a crash (a fatal signal, or an exception that nobody catches) leaves a report in the folder and a
/// sentence on stderr, before the program ends as it would have ended without. Call once, on the main thread, early:
/// handlers that others install later have to pass on what is not theirs. Threads need useSignalStack() to report that
/// their stack is used up. Old reports are removed.
void installCrashHandler(const CrashFacts& facts);

/// From now on an exception that nobody catches is an error and no crash: `report` says it and returns the exit code
/// with which the program ends, behind the calls that led to it.
void reportUncaughtErrors(int (*report)(const std::exception_ptr& error));

/// Facts that change while the program runs.
enum class CrashNote {
    model,     ///< what is open
    work,      ///< what runs in the background
    recovery,  ///< the recovery copy of what is open
};
/// Cheap. An empty text takes the note back. Always from the same thread.
void noteForCrashes(CrashNote note, std::string_view text);

}  // namespace aotscope
