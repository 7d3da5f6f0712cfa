#include "support/file.h"

#include "support/error.h"
#include "support/input_file.h"
#include "support/output_place.h"
#include "support/text_encoding.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

std::atomic<int> written = 0;  ///< distinguishes files that threads write at the same time

/// An open file for writing; `target` is for errors.
class Output {
public:
    Output(fs::path target, int file) : target_(std::move(target)), file_(file) {
        if (file_ < 0) fail();
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() {
        if (file_ >= 0) ::close(file_);
    }

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto count = ::write(file_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) fail();
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    void close() {
        if (::close(std::exchange(file_, -1)) != 0) fail();
    }
    int file() const { return file_; }

    [[noreturn]] void fail() const {
        const std::string reason = errno ? std::strerror(errno) : "write error";
        throw Error("cannot write '" + target_.string() + "': " + reason +
                    "; choose another folder or free some space");
    }

private:
    fs::path target_;
    int file_;
};

/// A folder that remains the same, whatever is renamed meanwhile.
class Folder {
public:
    explicit Folder(const fs::path& path) : number_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

    /// A new unnamed file in it, which disappears with its writer; -1 if unsupported.
    int createUnnamed() const {
#ifdef O_TMPFILE
        if (number_ >= 0 && ::access("/proc/self/fd", X_OK) == 0)
            return ::openat(number_, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
        return -1;
    }
    /// Gives an unnamed file its name.
    bool link(int file, const std::string& name) const {
        const std::string open = "/proc/self/fd/" + std::to_string(file);
        return ::linkat(AT_FDCWD, open.c_str(), number_, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    }

    /// A new file in it; -1 on failure.
    int create(const std::string& name) const {
        return number_ < 0 ? -1 : ::openat(number_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }

private:
    int number_;
};

/// A file in the folder of `place` that is removed unless it replaces the target, even if the process is killed, where
/// the file system supports that. Its name is short, however long the target's is.
class TemporaryFile {
public:
    TemporaryFile(const fs::path& target, const OutputPlace& place)
        : name_(place.name.string()),
          folder_(place.folder),
          temporary_(".aotscope-" + std::to_string(::getpid()) + "-" + std::to_string(++written) + ".tmp"),
          unnamed_(folder_.createUnnamed()),
          output_(target, unnamed_ >= 0 ? unnamed_ : folder_.create(temporary_)),
          named_(unnamed_ < 0) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (named_) ::unlinkat(folder_.number(), temporary_.c_str(), 0);
    }

    void write(std::string_view bytes) { output_.write(bytes); }

    /// The contents reach the disk before the name does, so that a power failure does not leave an empty file.
    void takePlace() {
        struct stat old {};
        if (::fstatat(folder_.number(), name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0)
            ::fchmod(output_.file(), old.st_mode & 07777);
        if (::fsync(output_.file()) != 0 && errno != EINVAL && errno != EROFS) output_.fail();
        if (!named_ && !folder_.link(output_.file(), temporary_)) output_.fail();
        named_ = true;
        output_.close();
        if (::renameat(folder_.number(), temporary_.c_str(), folder_.number(), name_.c_str()) != 0) output_.fail();
        named_ = false;
    }

private:
    std::string name_;
    Folder folder_;
    std::string temporary_;
    int unnamed_;
    Output output_;
    bool named_;  ///< whether a file with the temporary name exists
};

/// Opens a device or a FIFO. Waits for a reader of a FIFO, but not forever.
int openSpecial(const fs::path& path) {
    constexpr int kTries = 200;
    constexpr std::chrono::milliseconds kPause{50};
    int file = -1;
    for (int i = 0; i < kTries; ++i) {
        file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (file >= 0 || errno != ENXIO) break;
        std::this_thread::sleep_for(kPause);
    }
    if (file < 0 && errno == ENXIO)
        throw Error("cannot write '" + path.string() + "': no process reads from it; start the reader first");
    if (file >= 0) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

}  // namespace

void writeFileAtomically(const fs::path& path, const std::function<void(const ByteSink&)>& produce) {
    const OutputPlace place = outputPlace(path);
    if (place.descriptor || place.special) {
        std::cout.flush();  // so that earlier output comes first
        Output output(path, place.descriptor ? ::fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0)
                                             : openSpecial(place.folder / place.name));
        produce([&](std::string_view bytes) { output.write(bytes); });
        return output.close();
    }
    TemporaryFile file(path, place);
    produce([&](std::string_view bytes) { file.write(bytes); });
    file.takePlace();
}

void writeFileAtomically(const fs::path& path, std::string_view content) {
    writeFileAtomically(path, [&](const ByteSink& sink) { sink(content); });
}

void copyFileAtomically(const fs::path& from, const fs::path& to) {
    const InputFile file(from);
    writeFileAtomically(to, [&](const ByteSink& sink) {
        std::string piece(std::size_t{1} << 20, '\0');
        for (std::uint64_t at = 0; const std::size_t got = file.readAt(at, piece.data(), piece.size()); at += got)
            sink({piece.data(), got});
    });
}

std::string readFile(const fs::path& path, std::uintmax_t limit) { return InputFile(path).readAll(limit); }

std::string readInput(const fs::path& path, std::uintmax_t limit) {
    return toUtf8(InputFile(path == "-" ? "/dev/stdin" : path, InputFile::Accept::pipesToo).readAll(limit));
}

}  // namespace aotscope
