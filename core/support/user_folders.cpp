#include "support/user_folders.h"

#include <array>
#include <cstdlib>

#include <pwd.h>
#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

/// The specification says to ignore a relative path.
fs::path folderIn(const char* variable, const char* usual) {
    const char* set = std::getenv(variable);
    return set && *set == '/' ? fs::path(set) : userHomeFolder() / usual;
}

}  // namespace

fs::path userHomeFolder() {
    if (const char* set = std::getenv("HOME"); set && *set) return set;
    std::array<char, 4096> buffer{};
    struct passwd entry {};
    struct passwd* found = nullptr;
    ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
    return found ? fs::path(found->pw_dir) : fs::temp_directory_path();
}

fs::path userDataFolder() { return folderIn("XDG_DATA_HOME", ".local/share"); }
fs::path userCacheFolder() { return folderIn("XDG_CACHE_HOME", ".cache"); }

}  // namespace aotscope
