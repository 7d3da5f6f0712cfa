#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Facts for a crash report, collected in advance.
struct CrashFacts {
    std::string version;
    std::string torch;  ///< version of LibTorch; empty: not linked
    std::vector<std::string> command;
    std::filesystem::path folder;  ///< takes the reports; created when needed
};

/// From now on a crash (a fatal signal, or an uncaught exception) writes a report to the folder and a sentence to
/// stderr, then ends the program as it would have ended otherwise. Call once, on the main thread, early: handlers
/// installed later have to pass on signals that are not theirs. Threads need useSignalStack() to report stack
/// overflows. Old reports are removed.
void installCrashHandler(const CrashFacts& facts);

/// From now on an uncaught exception is an error, not a crash: `report` prints it and returns the exit code of the
/// program, after the stack trace.
void reportUncaughtErrors(int (*report)(const std::exception_ptr& error));

/// Facts that change while the program runs.
enum class CrashNote {
    model,     ///< what is open
    work,      ///< what runs in the background
    recovery,  ///< the recovery copy of what is open
};
/// Cheap. An empty text removes the note. Always call it from the same thread.
void noteForCrashes(CrashNote note, std::string_view text);

}  // namespace aotscope
