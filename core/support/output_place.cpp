#include "support/output_place.h"

#include "support/error.h"
#include "support/token_reader.h"

#include <cstring>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  ///< same as the system's own limit

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
    throw Error("cannot write '" + path.string() + "': " + why);
}

/// The descriptor behind "/proc/PID/fd/N" of this process. Its link names a file, but writing must continue at the
/// descriptor's position.
std::optional<int> descriptorBehind(const fs::path& folder, const std::string& name) {
    const fs::path own = "/proc/" + std::to_string(::getpid());
    if (folder != own / "fd" && folder != own / "task" / std::to_string(::gettid()) / "fd") return std::nullopt;
    return asNumber<int>(name);
}

}  // namespace

OutputPlace outputPlace(const fs::path& path) {
    if (path == "-") return {{}, path, STDOUT_FILENO, false};
    fs::path current = path;
    for (int links = 0; links <= kMostLinks; ++links) {
        std::error_code failure;
        OutputPlace place;
        place.name = current.filename();
        if (place.name.empty() || place.name == "." || place.name == "..")
            fail(path, "expected a file, found a folder");
        place.folder = fs::canonical(current.has_parent_path() ? current.parent_path() : fs::path("."), failure);
        if (failure) fail(path, failure.message() + "; choose another folder");
        place.descriptor = descriptorBehind(place.folder, place.name.string());
        if (place.descriptor) return place;
        current = place.folder / place.name;
        struct stat status {};
        if (::lstat(current.c_str(), &status) != 0) {
            if (errno == ENOENT) return place;
            fail(path, std::string(std::strerror(errno)) + "; choose another name or folder");
        }
        if (!S_ISLNK(status.st_mode)) {
            if (S_ISDIR(status.st_mode)) fail(path, "expected a file, found a folder");
            if (S_ISSOCK(status.st_mode)) fail(path, "expected a file, found a socket");
            place.special = !S_ISREG(status.st_mode);
            return place;
        }
        const fs::path target = fs::read_symlink(current, failure);
        if (failure) fail(path, failure.message() + "; choose another name");
        current = place.folder / target;  // an absolute target replaces the folder
    }
    fail(path, "its symbolic links form a loop; choose another name");
}

}  // namespace aotscope
