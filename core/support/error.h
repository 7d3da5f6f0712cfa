#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace aotscope {

/// An error a user can meet: one sentence that names the thing, what was expected, what was found and what
/// to do. Caught at two borders only: the background job of the window and the command line.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The command line or an option value cannot be used (exit code 2).
class UsageError : public Error {
public:
    using Error::Error;
};

/// The user asked to stop. Carries no message for the user; the job just ends.
class Cancelled : public std::runtime_error {
public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Throws logic_error if `condition` is false: an invariant of ours is broken, not the user's input.
void check(bool condition, std::string_view what);

/// The first line of a LibTorch message without its C++ stack dump and internal prefixes.
std::string firstSentence(std::string_view message);

}  // namespace aotscope
