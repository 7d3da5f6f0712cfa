#include "load/library.h"

#include "ops/operator_policy.h"
#include "support/error.h"
#include "support/input_file.h"

#include <dlfcn.h>

namespace aotscope {

void loadLibraries(const std::vector<std::filesystem::path>& libraries) {
    if (!libraries.empty()) rememberOwnNamespaces();
    for (const auto& library : libraries) {
        std::error_code failure;
        const auto path = std::filesystem::absolute(library, failure);  // a bare name is searched for elsewhere
        if (!std::filesystem::exists(path, failure))
            throw Error("cannot load library '" + library.string() + "': no such file; check the path");
        if (const std::string kind = specialFileAt(path); !kind.empty())
            throw Error("cannot load library '" + library.string() + "': expected a shared library, found " + kind);
        const char* why = "";
        try {
            if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) continue;
            why = dlerror();
        } catch (const std::exception& e) {
            throw Error("cannot load library '" + library.string() + "': " + firstSentence(e.what()));
        }
        throw Error("cannot load library '" + library.string() + "': " + why);
    }
}

}  // namespace aotscope
