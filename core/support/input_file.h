#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace aotscope {

/// A file that is open for reading. Opening never waits and never touches a device: what is no regular file is refused
/// by what it is, before and after it is opened.
class InputFile {
public:
    /// Pipes are what "<(command)" and /dev/stdin are.
    enum class Accept : std::uint8_t { regular, pipesToo };

    /// Throws Error naming the path and what is there.
    explicit InputFile(const std::filesystem::path& path, Accept accept = Accept::regular);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    int descriptor() const { return descriptor_; }
    std::uint64_t size() const { return size_; }  ///< as the system says: 0 for files of /proc

    /// Up to `count` bytes from `offset` on; fewer only at the end of the file. Not for pipes.
    std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const;
    /// Everything. Throws Error when there is more than `limit`, or when nobody writes to a pipe for so long.
    std::string readAll(std::uintmax_t limit, std::chrono::milliseconds longestWait = std::chrono::seconds(10)) const;

private:
    using Clock = std::chrono::steady_clock;

    [[noreturn]] void fail(const std::string& why) const;
    std::size_t readNext(char* buffer, std::size_t count, Clock::time_point until) const;

    std::filesystem::path path_;
    int descriptor_ = -1;
    bool isPipe_ = false;
    std::uint64_t size_ = 0;
};

/// The first bytes of a file, to see what it is; empty for what is no regular file or cannot be read.
std::string beginningOf(const std::filesystem::path& path, std::size_t count);

/// "a folder", "a FIFO", "a device", "a socket": what is at `path`, behind links; empty for a regular file and where
/// nothing is.
std::string specialFileAt(const std::filesystem::path& path);

}  // namespace aotscope
