#pragma once

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
    bool isPipe() const { return isPipe_; }
    std::uint64_t size() const { return size_; }  ///< as the system says: 0 for files of /proc

    /// Up to `count` bytes from `offset` on; fewer only at the end of the file. Not for pipes.
    std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const;
    /// Everything, also of a pipe that is written to within half a minute. Throws Error when there is more than
    /// `limit`.
    std::string readAll(std::uintmax_t limit) const;

private:
    [[noreturn]] void fail(const std::string& why) const;
    std::size_t readNext(char* buffer, std::size_t count) const;

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
