#include "session/engine.h"

#include "support/error.h"

namespace aotscope {

std::vector<CompilerInfo> usableCompilers(const Engine& engine, const std::vector<std::filesystem::path>& plugins) {
    try {
        return engine.compilers(plugins);
    } catch (const UsageError&) {
        return engine.compilers({});
    }
}

}  // namespace aotscope
