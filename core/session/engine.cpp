#include "session/engine.h"

#include "support/error.h"

namespace aotscope {

MachineSource machineOf(std::shared_ptr<const Engine> engine, std::string device) {
    return [engine = std::move(engine), device = std::move(device)] { return engine->machine(device); };
}

CompilerSource compilersOf(std::shared_ptr<const Engine> engine) {
    return [engine = std::move(engine)](const auto& plugins) { return engine->compilers(plugins); };
}

PlanSource plansOf(std::shared_ptr<const Engine> engine) {
    return [engine = std::move(engine)](const auto& function, const Graph& joint) {
        return engine->planByFunction(function, joint);
    };
}

std::vector<CompilerInfo> usableCompilers(const Engine& engine, const std::vector<std::filesystem::path>& plugins) {
    try {
        return engine.compilers(plugins);
    } catch (const UsageError&) {
        return engine.compilers({});
    }
}

}  // namespace aotscope
