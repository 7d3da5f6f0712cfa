#include "debug/debugger.h"

namespace aotscope {

std::vector<std::optional<ValueFacts>> Debugger::values(const std::vector<ValuePlace>& places,
                                                        const Progress& progress) const {
    std::vector<std::optional<ValueFacts>> found;
    for (const ValuePlace& place : places) {
        progress.throwIfCancelled();
        found.push_back(value(place.graph, place.node));
    }
    return found;
}

std::string_view name(DebugStop::Reason reason) {
    switch (reason) {
        case DebugStop::Reason::started: return "started";
        case DebugStop::Reason::stepped: return "stepped";
        case DebugStop::Reason::reached: return "reached";
        case DebugStop::Reason::breakpoint: return "breakpoint";
        case DebugStop::Reason::difference: return "difference";
        case DebugStop::Reason::notFinite: return "not finite";
        case DebugStop::Reason::failed: return "failed";
        case DebugStop::Reason::ended: return "ended";
    }
    return {};
}

}  // namespace aotscope
