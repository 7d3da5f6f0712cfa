#include "support/file.h"

#include "support/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

std::atomic<int> written = 0;  ///< tells files apart that two threads write at a time

/// A file beside `target` that is gone again unless it takes the target's place.
class TemporaryFile {
public:
    explicit TemporaryFile(fs::path target)
        : target_(std::move(target)),
          path_(target_.string() + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(++written)),
          file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
        if (file_ < 0) fail();
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (file_ >= 0) ::close(file_);
        if (!renamed_) ::unlink(path_.c_str());
    }

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto count = ::write(file_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) fail();
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    /// The bytes reach the disk before the name does: after a loss of power there is no empty file.
    void takePlace() {
        struct stat old {};
        if (::stat(target_.c_str(), &old) == 0) ::fchmod(file_, old.st_mode & 07777);
        if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail();
        const int closed = ::close(file_);
        file_ = -1;
        if (closed != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail();
        renamed_ = true;
    }

private:
    [[noreturn]] void fail() {
        const std::string reason = errno ? std::strerror(errno) : "write error";
        throw Error("cannot write '" + target_.string() + "': " + reason +
                    "; choose another folder or free some space");
    }

    fs::path target_, path_;
    int file_;
    bool renamed_ = false;
};

/// Where a link leads, so that the link itself stays.
fs::path behindLinks(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_symlink(path, failure)) return path;
    const fs::path target = fs::canonical(path, failure);
    return failure ? path : target;
}

}  // namespace

void writeFileAtomically(const fs::path& path, const std::function<void(const ByteSink&)>& produce) {
    TemporaryFile file(behindLinks(path));
    produce([&](std::string_view bytes) { file.write(bytes); });
    file.takePlace();
}

void writeFileAtomically(const fs::path& path, std::string_view content) {
    writeFileAtomically(path, [&](const ByteSink& sink) { sink(content); });
}

std::string readFile(const fs::path& path, std::uintmax_t limit) {
    std::error_code failure;
    if (!fs::exists(path, failure)) throw Error("cannot read '" + path.string() + "': no such file; check the path");
    if (fs::is_directory(path, failure))
        throw Error("cannot read '" + path.string() + "': it is a folder, a file is expected");
    const auto size = fs::file_size(path, failure);
    if (!failure && size > limit)
        throw Error("cannot read '" + path.string() + "': " + std::to_string(size) + " bytes, at most " +
                    std::to_string(limit) + " are expected");
    std::ifstream in(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in.good() && !in.eof()) throw Error("cannot read '" + path.string() + "': read error; check its permissions");
    return content;
}

}  // namespace aotscope
