#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace aotscope {

/// A file open for reading. Opening never blocks and never touches a device: anything except a regular file is rejected
/// by its type, before and after it is opened.
class InputFile {
public:
    /// Pipes: "<(command)" and /dev/stdin.
    enum class Accept : std::uint8_t { regular, pipesToo };

    /// Throws Error with the path and its type.
    explicit InputFile(const std::filesystem::path& path, Accept accept = Accept::regular);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    int descriptor() const { return descriptor_; }
    std::uint64_t size() const { return size_; }  ///< reported by the system: 0 for files of /proc

    /// Up to `count` bytes starting at `offset`; fewer only at the end of the file. Not for pipes.
    std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const;
    /// The whole contents. Throws Error if they exceed `limit` bytes, or a pipe is silent for too long.
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

/// The first bytes of a file, to detect its format; empty if it is not a regular file or cannot be read.
std::string beginningOf(const std::filesystem::path& path, std::size_t count);

/// "a folder", "a FIFO", "a device", "a socket": the type of `path`, links followed; empty for a regular file or a
/// missing one.
std::string specialFileAt(const std::filesystem::path& path);

}  // namespace aotscope
