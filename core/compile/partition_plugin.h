#pragma once

#include "compile/plugin.h"

namespace aotscope {

/// A partition function in a shared library.
struct PartitionPlugin {
    std::string name, help;
    /// Returns the names of the joint graph's nodes to save, and no others. The backward recomputes everything else
    /// that it needs of the forward. May throw std::exception.
    std::vector<std::string> (*save)(const Graph& joint) = nullptr;
};

/// Like loadCompilerPlugin.
const PartitionPlugin& loadPartitionPlugin(const std::filesystem::path& file);

}  // namespace aotscope

/// Makes this shared library a plug-in, together with AOTSCOPE_COMPILER_PLUGIN or alone. `plugin` is a constant
/// expression or a variable of type aotscope::PartitionPlugin:
///
///     const aotscope::PartitionPlugin kPlugin = {"mine", "what it does", save};
///     AOTSCOPE_PARTITION_PLUGIN(kPlugin)
#define AOTSCOPE_PARTITION_PLUGIN(plugin)                                                      \
    extern "C" const char* aotscopePartitionInterface() { return aotscope::kPluginInterface; } \
    extern "C" const aotscope::PartitionPlugin* aotscopePartitionPlugin() { return &(plugin); }
