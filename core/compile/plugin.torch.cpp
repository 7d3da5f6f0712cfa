#include "compile/partition_plugin.h"

#include "ops/operator_policy.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/library_function.h"

#include <dlfcn.h>

namespace aotscope {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw UsageError("plug-in '" + file.string() + "': " + why);
}

/// One kind of plug-in: the functions that its macro defines.
struct PluginKind {
    const char* interface;
    const char* plugin;
    const char* what;   ///< the name of this kind
    const char* macro;  ///< defines them, and its header
};

void* openLibrary(const std::filesystem::path& file) {
    std::error_code failure;
    const auto path = std::filesystem::absolute(file, failure);  // a bare name would be searched for in other folders
    if (!std::filesystem::exists(path, failure)) refuse(file, "no such file; check the path");
    if (const std::string kind = specialFileAt(path); !kind.empty())
        refuse(file, "expected a shared library, found " + kind);
    rememberOwnNamespaces();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) refuse(file, dlerror());
    return library;
}

template <typename Plugin>
const Plugin& load(const std::filesystem::path& file, const PluginKind& kind) {
    void* library = openLibrary(file);
    const char* (*interface)();
    const Plugin* (*plugin)();
    if (!findFunction(library, kind.interface, interface) || !findFunction(library, kind.plugin, plugin))
        refuse(file, std::string("it has no ") + kind.what + "; expected a library with " + kind.macro);
    if (std::string_view(interface()) != kPluginInterface)
        refuse(file, "it was built for '" + std::string(interface()) + "', this program has '" + kPluginInterface +
                         "'; rebuild it with this program's headers");
    return *plugin();
}

}  // namespace

const CompilerPlugin& loadCompilerPlugin(const std::filesystem::path& file) {
    return load<CompilerPlugin>(file, {"aotscopePluginInterface", "aotscopeCompilerPlugin", "compiler",
                                       "AOTSCOPE_COMPILER_PLUGIN (compile/plugin.h)"});
}

const PartitionPlugin& loadPartitionPlugin(const std::filesystem::path& file) {
    return load<PartitionPlugin>(file, {"aotscopePartitionInterface", "aotscopePartitionPlugin", "partition function",
                                        "AOTSCOPE_PARTITION_PLUGIN (compile/partition_plugin.h)"});
}

}  // namespace aotscope
