#pragma once

#include <array>
#include <streambuf>
#include <string_view>

#include <unistd.h>

namespace aotscope {

/// Replaces std::cout's buffer, so that a failed write throws Error where it happens. When the reader has gone, as in
/// "| head -1", the program ends quietly by SIGPIPE, as others do.
///
/// Reserves standard descriptors that are closed: otherwise the next file to be opened would get their number, and with
/// it what is printed.
class StandardOutput final : private std::streambuf {
public:
    StandardOutput();
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;
    ~StandardOutput() override;

    /// Sends text for people to stderr, because a file is written to stdout.
    void makeRoomForFile() { descriptor_ = STDERR_FILENO; }

private:
    int_type overflow(int_type character) override;
    int sync() override;
    void empty();
    void write(std::string_view text);

    int descriptor_ = STDOUT_FILENO;
    std::array<char, 1 << 14> bytes_{};
    std::streambuf* previous_;
};

}  // namespace aotscope
