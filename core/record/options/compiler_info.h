#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace aotscope {

/// A setting of a backend.
struct CompilerSetting {
    std::string name, standard, help;
    std::vector<std::string> values;  ///< accepted values; empty: any text
};

struct CompilerInfo {
    std::string name, help;
    std::vector<CompilerSetting> settings;
};

/// All backends: the built-in ones, then those of plug-ins. Throws UsageError for a plug-in that cannot be used.
using CompilerSource = std::function<std::vector<CompilerInfo>(const std::vector<std::filesystem::path>& plugins)>;

}  // namespace aotscope
