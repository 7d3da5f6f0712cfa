#include "cost/measured_communication.h"

#include "ops/collectives.h"
#include "record/results/graph_times.h"

#include <algorithm>

namespace aotscope {

std::vector<GraphAgainstMeasured> againstMeasured(const Communication& found, const TimingResult& timing) {
    const GraphTimes times(timing);
    std::vector<GraphAgainstMeasured> list;
    for (const GraphCommunication& graph : found.graphs) {
        const bool timed =
            std::ranges::any_of(timing.graphs, [&](const GraphTime& time) { return time.graph == graph.graph; });
        if (!timed) continue;
        GraphAgainstMeasured both{graph.graph, {graph.computing, graph.communicating}, {}, 0};
        for (const StepTime& step : timing.steps)
            if (step.graph == graph.graph)
                (communicates(step.op) ? both.measured.exchanging : both.measured.computing) +=
                    times.stepUs(step) / 1000;
        both.around = times.overheadUs(graph.graph == GraphKind::backward) / 1000;
        list.push_back(both);
    }
    return list;
}

double simulatedShare(const std::vector<GraphAgainstMeasured>& graphs) {
    double simulated = 0, measured = 0;
    for (const GraphAgainstMeasured& graph : graphs) {
        simulated += graph.simulated.total();
        measured += graph.measured.total();
    }
    return measured > 0 ? simulated / measured : 0;
}

}  // namespace aotscope
