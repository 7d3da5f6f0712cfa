#include "crash/data_folder.h"

#include <array>
#include <cstdlib>

#include <pwd.h>
#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

fs::path home() {
    if (const char* set = std::getenv("HOME"); set && *set) return set;
    std::array<char, 4096> buffer{};
    struct passwd entry {};
    struct passwd* found = nullptr;
    ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
    return found ? fs::path(found->pw_dir) : fs::temp_directory_path();
}

}  // namespace

fs::path dataFolder() {
    const char* set = std::getenv("XDG_DATA_HOME");
    // A relative path is to be ignored, says the specification of these folders.
    const fs::path base = set && *set == '/' ? fs::path(set) : home() / ".local" / "share";
    return base / "aotscope" / "aotscope";
}

}  // namespace aotscope
