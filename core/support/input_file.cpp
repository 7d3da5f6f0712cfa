#include "support/input_file.h"

#include "support/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace {

std::string kindOf(const struct stat& status) {
    if (S_ISREG(status.st_mode)) return {};
    if (S_ISDIR(status.st_mode)) return "a folder";
    if (S_ISFIFO(status.st_mode)) return "a FIFO";
    return S_ISSOCK(status.st_mode) ? "a socket" : "a device";
}

std::string systemsReason() {
    if (errno == ENOENT) return "no such file; check the path";
    return std::string(std::strerror(errno)) + (errno == EACCES ? "; check its permissions" : "");
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path, Accept accept) : path_(path) {
    struct stat status {};
    const auto requireAccepted = [&] {
        isPipe_ = S_ISFIFO(status.st_mode);
        const std::string kind = kindOf(status);
        if (kind.empty() || (isPipe_ && accept == Accept::pipesToo)) return;
        if (S_ISDIR(status.st_mode)) fail("expected a file, found a folder");
        fail("expected a regular file, found " + kind);
    };
    if (::stat(path.c_str(), &status) != 0) fail(systemsReason());
    requireAccepted();
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0) fail(systemsReason());
    try {  // the file may have been replaced since it was checked
        if (::fstat(descriptor_, &status) != 0) fail(systemsReason());
        requireAccepted();
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::fail(const std::string& why) const { throw Error("cannot read '" + path_.string() + "': " + why); }

std::size_t InputFile::readAt(std::uint64_t offset, char* buffer, std::size_t count) const {
    std::size_t done = 0;
    while (done < count) {
        const auto got = ::pread(descriptor_, buffer + done, count - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(systemsReason());
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

/// Reads the next bytes; 0 at the end. Kernel files that would wait for news count as ended.
std::size_t InputFile::readNext(char* buffer, std::size_t count, Clock::time_point until) const {
    for (;;) {
        if (isPipe_) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
            pollfd waiting{descriptor_, POLLIN, 0};
            if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0)
                fail("nothing was written to this FIFO for a while; give a regular file");
        }
        const auto got = ::read(descriptor_, buffer, count);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno == EINTR || (errno == EAGAIN && isPipe_)) continue;
        if (errno == EAGAIN) return 0;
        fail(systemsReason());
    }
}

std::string InputFile::readAll(std::uintmax_t limit, std::chrono::milliseconds longestWait) const {
    const auto tooLarge = [&](const std::string& size) {
        fail("expected at most " + std::to_string(limit) + " bytes, found " + size);
    };
    if (!isPipe_ && size_ > limit) tooLarge(std::to_string(size_));
    constexpr std::size_t kPiece = 1 << 16;
    constexpr int kMostWaits = 6;  // for writers that are slow
    const auto last = Clock::now() + kMostWaits * longestWait;
    std::string content;
    for (;;) {
        const std::size_t length = content.size();
        content.resize(std::max<std::size_t>(length + kPiece, static_cast<std::size_t>(size_) + 1));
        const std::size_t got =
            readNext(content.data() + length, content.size() - length, std::min(last, Clock::now() + longestWait));
        content.resize(length + got);
        if (content.size() > limit) tooLarge("more than " + std::to_string(limit));
        if (got == 0) return content;
    }
}

std::string beginningOf(const std::filesystem::path& path, std::size_t count) {
    std::string beginning(count, '\0');
    try {
        const InputFile file(path);
        beginning.resize(file.readAt(0, beginning.data(), count));
    } catch (const Error&) {
        return {};
    }
    return beginning;
}

std::string specialFileAt(const std::filesystem::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? kindOf(status) : std::string();
}

}  // namespace aotscope
