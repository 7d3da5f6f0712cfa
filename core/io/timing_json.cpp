#include "io/timing_json.h"

#include "cost/live_memory.h"
#include "io/tables/step_table.h"
#include "io/tables/table_text.h"
#include "io/timing_notes.h"
#include "io/timing_text.h"
#include "record/results/graph_times.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

json spreadJson(const Spread& spread) {
    return {{"min", spread.min},
            {"lower_quartile", spread.lower},
            {"median", spread.median},
            {"upper_quartile", spread.upper},
            {"max", spread.max}};
}

json ratioJson(const Ratio& ratio) {
    return {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}, {"confidence", ratio.confidence}};
}

json loadJson(const MachineLoad& load) {
    return {{"waiting", load.waiting},
            {"threads", load.threads},
            {"usual_threads", load.usualThreads},
            {"disturbed", load.disturbed()}};
}

json graphsJson(const TimingResult& timing) {
    json graphs = json::array();
    for (const GraphTime& graph : timing.graphs)
        graphs.push_back({{"graph", name(graph.graph)},
                          {"ms", spreadJson(graph.ms)},
                          {"observed_ms", spreadJson(graph.observedMs)},
                          {"steps_ms", graph.stepsMs},
                          {"steps_ratio", ratioJson(graph.stepsRatio)},
                          {"observed_ratio", ratioJson(graph.observedRatio)}});
    return graphs;
}

}  // namespace

json timingJson(const TimingResult& timing, const CompileRecord& record, const MachineModel& machine) {
    json eager, compiled, ratio;
    for (const auto& [what, part] : partsOf(timing)) {
        eager[what + "_ms"] = spreadJson(part.firstMs);
        compiled[what + "_ms"] = spreadJson(part.secondMs);
        ratio[what] = ratioJson(part.ratio);
    }
    const GraphTimes times(timing);
    json peak = {{"eager", timing.eagerPeakBytes}, {"compiled", timing.compiledPeakBytes}};
    if (const auto memory = liveMemory(record)) peak["predicted"] = memory->peakBytes;
    return {{"iterations", timing.iterations},
            {"warm_ups", timing.warmUps},
            {"clock_us", timing.clockUs},
            {"load", loadJson(timing.load)},
            {"eager", eager},
            {"compiled", compiled},
            {"ratio", ratio},
            {"graphs", graphsJson(timing)},
            {"overhead_us", {{"forward", times.overheadUs(false)}, {"backward", times.overheadUs(true)}}},
            {"utilization", times.utilization()},
            {"steps", tableJson(stepTable(timing, record, &machine))},
            {"modules", tableJson(moduleTable(timing, record))},
            {"saved_bytes", {{"eager", timing.eagerSavedBytes}, {"compiled", timing.compiledSavedBytes}}},
            {"peak_bytes", peak},
            {"notes", timingNotes(timing, record)}};
}

json variantTimingJson(const VariantTiming& timing) {
    json j = {{"first", timing.first},
              {"second", timing.second},
              {"iterations", timing.iterations},
              {"warm_ups", timing.warmUps},
              {"load", loadJson(timing.load)},
              {"peak_bytes", {{"first", timing.firstPeakBytes}, {"second", timing.secondPeakBytes}}}};
    for (const auto& [what, part] : partsOf(timing))
        j[what] = {{"first_ms", spreadJson(part.firstMs)},
                   {"second_ms", spreadJson(part.secondMs)},
                   {"ratio", ratioJson(part.ratio)}};
    return j;
}

}  // namespace aotscope
