#pragma once

#include <filesystem>

namespace aotscope {

/// Where the program keeps what is its own: recovery copies and crash reports. Nothing makes it before it is needed.
std::filesystem::path dataFolder();

}  // namespace aotscope
