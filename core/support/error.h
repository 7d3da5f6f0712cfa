#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace aotscope {

/// An error for the user: one sentence that names the thing, what was expected, what was found and what to do. Caught
/// in only two places: the window's background job and the command line.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The command line or an option value is invalid (exit code 2).
class UsageError : public Error {
public:
    using Error::Error;
};

/// The user asked to stop. Has no message; the job just ends.
class Cancelled : public std::runtime_error {
public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Throws logic_error: a violated invariant of ours, not an error in the user's input.
[[noreturn]] void failCheck(std::string_view what);

/// Fails if `condition` is false.
inline void check(bool condition, std::string_view what) {
    if (!condition) failCheck(what);
}

/// The first line of a LibTorch message without C++ stack trace and internal prefixes.
std::string firstSentence(std::string_view message);

}  // namespace aotscope
