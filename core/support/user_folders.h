#pragma once

#include <filesystem>

namespace aotscope {

std::filesystem::path userHomeFolder();
/// Where programs keep data and caches of their user, as the XDG Base Directory Specification has it. Need not exist.
std::filesystem::path userDataFolder();
std::filesystem::path userCacheFolder();

}  // namespace aotscope
