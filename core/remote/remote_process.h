#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace aotscope {

/// A program with pipes to its standard input, output and error. It runs in its own session, so that it and its
/// children can be killed together, and cannot read the terminal: ssh asks for a password with SSH_ASKPASS or not at
/// all.
class RemoteProcess {
public:
    /// Without a shell; the program is searched in PATH. `folder` is removed if this program ends without the
    /// destructor; empty: none. Throws Error.
    explicit RemoteProcess(const std::vector<std::string>& command, const std::filesystem::path& folder = {});
    RemoteProcess(const RemoteProcess&) = delete;
    RemoteProcess& operator=(const RemoteProcess&) = delete;
    /// Closes its input, which tells it to end, and kills whatever does not end soon. Blocks for less than a second. If
    /// this program ends without the destructor, another process does the same a little later.
    ~RemoteProcess();

    int input() const { return input_; }    ///< for writing; does not block
    int output() const { return output_; }  ///< for reading
    int errors() const { return errors_; }
    void closeInput();
    /// With its children.
    void kill();

    /// Waits until it has ended: its exit code, or its negative signal number. Nothing if not within `patience`.
    std::optional<int> outcome(std::chrono::milliseconds patience);

private:
    void dismissGuard();

    pid_t process_ = -1, guard_ = -1;
    int input_ = -1, output_ = -1, errors_ = -1;
    int life_ = -1;  ///< lets the guard see our end
    std::optional<int> outcome_;
};

}  // namespace aotscope
