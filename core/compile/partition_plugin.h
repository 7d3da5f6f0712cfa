#pragma once

#include "compile/plugin.h"

namespace aotscope {

/// A partition function in a shared library.
struct PartitionPlugin {
    std::string name, help;
    /// The values to save, by the names of nodes of the joint graph, and no others. What else the backward needs of the
    /// forward is computed again. May throw std::exception.
    std::vector<std::string> (*save)(const Graph& joint) = nullptr;
};

/// As loadCompilerPlugin.
const PartitionPlugin& loadPartitionPlugin(const std::filesystem::path& file);

}  // namespace aotscope

/// Makes the shared library that this is written in a plug-in, beside AOTSCOPE_COMPILER_PLUGIN or alone. `plugin` is a
/// constant expression or a variable of type aotscope::PartitionPlugin:
///
///     const aotscope::PartitionPlugin kPlugin = {"mine", "what it does", save};
///     AOTSCOPE_PARTITION_PLUGIN(kPlugin)
#define AOTSCOPE_PARTITION_PLUGIN(plugin)                                                      \
    extern "C" const char* aotscopePartitionInterface() { return aotscope::kPluginInterface; } \
    extern "C" const aotscope::PartitionPlugin* aotscopePartitionPlugin() { return &(plugin); }
