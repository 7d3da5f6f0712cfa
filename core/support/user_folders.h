#pragma once

#include <filesystem>

namespace aotscope {

std::filesystem::path userHomeFolder();
/// Folders for the user's data and caches, according to the XDG Base Directory Specification. They need not exist.
std::filesystem::path userDataFolder();
std::filesystem::path userCacheFolder();

}  // namespace aotscope
