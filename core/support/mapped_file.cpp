#include "support/mapped_file.h"

#include "support/error.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace {

/// Closes a file descriptor at the end of its scope; a mapping outlives it.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

}  // namespace

std::shared_ptr<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const auto fail = [&](const std::string& reason) -> std::shared_ptr<MappedFile> {
        throw Error("cannot read '" + path.string() + "': " + reason);
    };
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number() < 0)
        return fail(errno == ENOENT ? "no such file; check the path" : std::string(std::strerror(errno)));
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return fail(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return fail("it is a folder, a file is expected");
    if (!S_ISREG(status.st_mode)) return fail("a regular file is expected");
    const auto size = static_cast<std::size_t>(status.st_size);
    // An empty mapping is an error of the system's; an empty file is none.
    if (size == 0) return std::shared_ptr<MappedFile>(new MappedFile(nullptr, 0));
    void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.number(), 0);
    if (data == MAP_FAILED) return fail(std::strerror(errno));
    return std::shared_ptr<MappedFile>(new MappedFile(static_cast<char*>(data), size));
}

MappedFile::~MappedFile() {
    if (data_) ::munmap(data_, size_);
}

}  // namespace aotscope
