#include "io/cost_text.h"

#include "cost/placement/placement.h"
#include "io/tables/memory_table.h"
#include "io/tables/table_text.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

std::string costsText(const VariantCosts& costs) {
    std::string text = "saved " + formatBytes(costs.savedBytes) + ", peak " + formatBytes(costs.peakBytes) +
                       " beside the " + formatBytes(costs.givenBytes) + " of parameters, inputs and tangents\n";
    if (costs.basis == TimeBasis::unreliable) return text + "estimated times: unreliable\n";
    const auto time = [&](double ms) { return timeText(ms, costs.basis); };
    text += std::string(costs.basis == TimeBasis::measured ? "measured operations add up to" : "estimated") + " " +
            time(costs.forwardMs) + " forward, " + time(costs.backwardMs) + " backward";
    if (costs.recomputedOps > 0)
        text += ", " + time(costs.recomputedMs) + " of it for " + counted(costs.recomputedOps, "recomputed operation");
    if (const std::string shares = sharesText(costs.msBy); costs.basis == TimeBasis::estimated && !shares.empty())
        text += " (" + shares + ")";
    text += "\n";
    if (costs.simulatedMs > 0)
        text += "collectives send " + formatBytes(costs.sentBytes) + "; estimated " + formatEstimate(costs.exposedMs) +
                " of them are exposed\n";
    return text;
}

std::string peakText(const LiveMemory& memory, std::size_t largest) {
    if (memory.curve.empty()) return {};
    const MemoryPoint& point = memory.curve[memory.peak];
    Table live = liveValueTable(memory, memory.peak);
    std::string text = "peak memory " + formatBytes(point.bytes) + " at %" + point.name + " (" +
                       std::string(name(point.stage)) + "), " + counted(live.rows.size(), "value") + "\n";
    if (const std::string arena = arenaText(placementOf(memory)); !arena.empty()) text += arena + "\n";
    live.rows.resize(std::min(largest, live.rows.size()));
    std::array<double, 3> operations{};
    std::ranges::copy(memory.operationsBy, operations.begin());
    const std::string shares = sharesText(operations);
    return text + (shares.empty() ? "" : "inner memory of operations: " + shares + "\n") + tableText(live);
}

}  // namespace aotscope
