#pragma once

#include "ops/operator_policy.h"
#include "record/options/options.h"

#include <filesystem>
#include <vector>

namespace aotscope {

/// What an engine on this machine may do that another process has started.
enum class EngineRights : std::uint8_t {
    confined,   ///< compute, and read; see confineServed
    asTheUser,  ///< everything that the user may do
};

/// The shared libraries that are loaded for a model.
inline std::vector<std::filesystem::path> codeFiles(const Options& options) {
    std::vector<std::filesystem::path> files = options.libraries;
    files.insert(files.end(), options.compilers.plugins.begin(), options.compilers.plugins.end());
    if (!options.partition.function.empty()) files.push_back(options.partition.function);
    return files;
}

/// What is needed for native code and operators that the user allows.
inline EngineRights rightsFor(const Options& options) {
    return !codeFiles(options).empty() || mayDoAll(options.allow) ? EngineRights::asTheUser : EngineRights::confined;
}

}  // namespace aotscope
