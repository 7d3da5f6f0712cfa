#pragma once

#include <filesystem>

namespace aotscope {

/// The program's own folder: recovery copies and crash reports. Created when first needed.
std::filesystem::path dataFolder();

}  // namespace aotscope
