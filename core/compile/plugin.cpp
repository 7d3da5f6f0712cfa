#include "compile/plugin.h"

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

}  // namespace

const CompilerPlugin& loadCompilerPlugin(const std::filesystem::path& file) {
    std::error_code failure;
    const auto path = std::filesystem::absolute(file, failure);  // a bare name would be searched for elsewhere
    if (!std::filesystem::exists(path, failure)) refuse(file, "no such file; check the path");
    if (const std::string kind = specialFileAt(path); !kind.empty())
        refuse(file, "expected a shared library, found " + kind);
    rememberOwnNamespaces();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) refuse(file, dlerror());
    const char* (*interface)();
    const CompilerPlugin* (*plugin)();
    if (!findFunction(library, "aotscopePluginInterface", interface) ||
        !findFunction(library, "aotscopeCompilerPlugin", plugin))
        refuse(file, "it has no compiler; expected a library with AOTSCOPE_COMPILER_PLUGIN (compile/plugin.h)");
    if (std::string_view(interface()) != kPluginInterface)
        refuse(file, "it was built for '" + std::string(interface()) + "', this program has '" + kPluginInterface +
                         "'; rebuild it with this program's headers");
    return *plugin();
}

}  // namespace aotscope
