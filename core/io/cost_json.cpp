#include "io/cost_json.h"

#include "cost/placement/placement.h"
#include "io/tables/memory_table.h"
#include "io/tables/table_text.h"

#include <nlohmann/json.hpp>

namespace aotscope {

using nlohmann::json;

json liveMemoryJson(const LiveMemory& memory) {
    json curve = json::array();
    for (const MemoryPoint& point : memory.curve)
        curve.push_back({{"graph", name(point.stage)}, {"node", point.name}, {"bytes", point.bytes}});
    const Placement placement = placementOf(memory);
    return {{"given_bytes", memory.givenBytes},
            {"saved_bytes", memory.savedBytes},
            {"peak_bytes", memory.peakBytes},
            {"arena",
             {{"bytes", placement.arenaBytes},
              {"least_bytes", placement.boundBytes},
              {"fragmentation", placement.fragmentation()}}},
            {"operations_by",
             {{"measured", memory.operationsBy[0]},
              {"near", memory.operationsBy[1]},
              {"estimated", memory.operationsBy[2]}}},
            {"peak_at", memory.curve.empty() ? std::string() : memory.curve[memory.peak].name},
            {"live_at_peak", tableJson(liveValueTable(memory, memory.peak))},
            {"curve", curve}};
}

nlohmann::json measuredCostsJson(const VariantCosts::Measured& costs) {
    return {{"forward_ms", costs.forwardMs},
            {"backward_ms", costs.backwardMs},
            {"saved_bytes", costs.savedBytes},
            {"peak_bytes", costs.peakBytes}};
}

VariantCosts::Measured measuredCostsFrom(const nlohmann::json& document) {
    return {document.at("forward_ms").get<double>(), document.at("backward_ms").get<double>(),
            document.at("saved_bytes").get<std::int64_t>(), document.at("peak_bytes").get<std::int64_t>()};
}

json machineJson(const MachineModel& machine) {
    json document = {{"bytes_per_second", {{"small", machine.bytes.small}, {"large", machine.bytes.large}}},
                     {"fresh_bytes_per_second", machine.freshBytes},
                     {"overhead_us", machine.overhead * 1e6},
                     {"view_overhead_us", machine.viewOverhead * 1e6},
                     {"calibration_ms", machine.calibrationMs},
                     {"disagreement", machine.disagreement},
                     {"waiting", machine.waiting},
                     {"assumed", machine.assumed},
                     {"disturbed", machine.disturbed()}};
    forEachPace(machine, [&](const char* name, const Pace& pace) {
        document[name] = {{"latency_us", pace.latency * 1e6}, {"per_second", pace.perSecond}};
    });
    return document;
}

}  // namespace aotscope
