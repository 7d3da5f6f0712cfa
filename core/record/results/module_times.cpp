#include "record/results/module_times.h"

#include "record/model_places.h"
#include "record/results/graph_times.h"

namespace aotscope {

namespace {

ModuleTime& partOf(ModuleTime& module, const std::string& path) {
    for (ModuleTime& part : module.parts)
        if (part.path == path) return part;
    module.parts.push_back({path});
    return module.parts.back();
}

}  // namespace

std::vector<std::string> stepModules(const TimingResult& timing, const CompileRecord& record) {
    ModelPlaces places;
    if (const auto joint = record.graph(GraphKind::joint)) places.add(*joint);
    for (const GraphKind kind : executedGraphs(record))
        if (const auto graph = record.graph(kind)) places.add(*graph);
    std::vector<std::string> modules;
    for (const StepTime& step : timing.steps) {
        const SourceInfo* source = places.of(step.node);
        modules.push_back(source ? source->module : std::string());
    }
    return modules;
}

std::vector<std::string> pathsTo(const std::string& module) {
    std::vector<std::string> paths;
    for (std::size_t dot = module.find('.'); dot != std::string::npos; dot = module.find('.', dot + 1))
        paths.push_back(module.substr(0, dot));
    if (!module.empty()) paths.push_back(module);
    return paths;
}

ModuleTime moduleTimes(const TimingResult& timing, const CompileRecord& record) {
    const GraphTimes times(timing);
    ModuleTime root;
    root.forwardUs = root.ownForwardUs = times.overheadUs(false);
    root.backwardUs = root.ownBackwardUs = times.overheadUs(true);
    const std::vector<std::string> modules = stepModules(timing, record);
    for (std::size_t i = 0; i < timing.steps.size(); ++i) {
        const StepTime& step = timing.steps[i];
        const bool backward = step.graph == GraphKind::backward;
        const auto addTo = [&](double& forwardUs, double& backwardUs) {
            (backward ? backwardUs : forwardUs) += times.stepUs(step);
        };
        ModuleTime* module = &root;
        addTo(module->forwardUs, module->backwardUs);
        for (const std::string& path : pathsTo(modules[i])) {
            module = &partOf(*module, path);
            addTo(module->forwardUs, module->backwardUs);
        }
        addTo(module->ownForwardUs, module->ownBackwardUs);
        module->steps.push_back(i);
    }
    return root;
}

}  // namespace aotscope
