#pragma once

#include "compile/compiler.h"
#include "compile/compilers.h"

#include <torch/version.h>

namespace aotscope {

/// The interface version that a plug-in and the program must share. The number is incremented with changes to the
/// headers that plug-ins include.
inline constexpr const char* kPluginInterface = "aotscope compilers 3, LibTorch " TORCH_VERSION;

/// A backend in a shared library. For a partition function see partition_plugin.h.
struct CompilerPlugin {
    CompilerInfo info;
    CompilerFactory make = nullptr;
};

/// Loads the library, which stays until the program ends. Throws UsageError, naming the file, if it is not a shared
/// library, not a plug-in, or built for another version.
const CompilerPlugin& loadCompilerPlugin(const std::filesystem::path& file);

}  // namespace aotscope

/// Makes this shared library a plug-in. `plugin` is a constant expression or a variable of type
/// aotscope::CompilerPlugin:
///
///     const aotscope::CompilerPlugin kPlugin = {{"mine", "what it does", {{"level", "1", "how much"}}}, makeMine};
///     AOTSCOPE_COMPILER_PLUGIN(kPlugin)
#define AOTSCOPE_COMPILER_PLUGIN(plugin)                                                    \
    extern "C" const char* aotscopePluginInterface() { return aotscope::kPluginInterface; } \
    extern "C" const aotscope::CompilerPlugin* aotscopeCompilerPlugin() { return &(plugin); }
