#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace aotscope {

/// A program with pipes to its standard input, output and errors. It runs in a session of its own, so that it and what
/// it starts can be ended together, and cannot read the terminal: ssh asks for a password with SSH_ASKPASS or not at
/// all.
class RemoteProcess {
public:
    /// Without a shell; the program is looked up in PATH. Throws Error.
    explicit RemoteProcess(const std::vector<std::string>& command);
    RemoteProcess(const RemoteProcess&) = delete;
    RemoteProcess& operator=(const RemoteProcess&) = delete;
    /// Closes its input, which is its sign to end; what does not end by itself soon is killed. Blocks less than a
    /// second. If this program ends without it, another process does the same a little later.
    ~RemoteProcess();

    int input() const { return input_; }    ///< for writing; does not block
    int output() const { return output_; }  ///< for reading
    int errors() const { return errors_; }
    void closeInput();

    /// Waits until it has ended: its exit code, or the negative number of its signal. Nothing: not within `patience`.
    std::optional<int> outcome(std::chrono::milliseconds patience);

private:
    void dismissGuard();

    pid_t process_ = -1, guard_ = -1;
    int input_ = -1, output_ = -1, errors_ = -1;
    int life_ = -1;  ///< its end is ours, for the guard
    std::optional<int> outcome_;
};

}  // namespace aotscope
