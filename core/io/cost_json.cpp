#include "io/cost_json.h"

#include <nlohmann/json.hpp>

namespace aotscope {

using nlohmann::json;

namespace {

json valueJson(const LiveValue& value) {
    json j = {{"node", value.name}, {"op", value.op}, {"kind", name(value.kind)}, {"bytes", value.bytes}};
    if (!value.label.empty()) j["label"] = value.label;
    if (!value.module.empty()) j["module"] = value.module;
    return j;
}

}  // namespace

json liveMemoryJson(const LiveMemory& memory) {
    json curve = json::array(), live = json::array();
    for (const MemoryPoint& point : memory.curve)
        curve.push_back({{"graph", point.stage == Stage::forward ? "forward" : "backward"},
                         {"node", point.name},
                         {"bytes", point.bytes}});
    for (const LiveValue& value : memory.liveAt(memory.peak)) live.push_back(valueJson(value));
    return {{"given_bytes", memory.givenBytes},
            {"saved_bytes", memory.savedBytes},
            {"peak_bytes", memory.peakBytes},
            {"peak_at", memory.curve.empty() ? std::string() : memory.curve[memory.peak].name},
            {"live_at_peak", live},
            {"curve", curve}};
}

}  // namespace aotscope
