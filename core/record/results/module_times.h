#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"

namespace aotscope {

/// Times of a module's operations in µs, as shares of their graph's time (GraphTimes), including submodules. The
/// graphs' overhead belongs to the whole model.
struct ModuleTime {
    std::string path;  ///< "h.0.attn"; empty: the whole model
    double forwardUs = 0, backwardUs = 0;
    double ownForwardUs = 0, ownBackwardUs = 0;  ///< outside of submodules
    std::vector<std::size_t> steps;              ///< its operations, as indices of TimingResult::steps
    std::vector<ModuleTime> parts;               ///< in order of their first execution

    double totalUs() const { return forwardUs + backwardUs; }
    double ownUs() const { return ownForwardUs + ownBackwardUs; }
};

/// The module of every step of `timing`; empty if it has none. A backward operation belongs to the module of the
/// forward operation that it differentiates.
std::vector<std::string> stepModules(const TimingResult& timing, const CompileRecord& record);

/// The tree of modules. An inference counts as forward.
ModuleTime moduleTimes(const TimingResult& timing, const CompileRecord& record);

/// "h.0.attn" as {"h", "h.0", "h.0.attn"}.
std::vector<std::string> pathsTo(const std::string& module);

/// Calls `visit(module, depth)` for `module` and all its parts, each before its own parts.
template <typename Visitor>
void forEachModule(const ModuleTime& module, Visitor&& visit, int depth = 0) {
    visit(module, depth);
    for (const ModuleTime& part : module.parts) forEachModule(part, visit, depth + 1);
}

}  // namespace aotscope
