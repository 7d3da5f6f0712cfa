#pragma once

#include "cost/communication.h"
#include "record/results/results.h"

#include <vector>

namespace aotscope {

/// Of one graph, in milliseconds.
struct CommunicationTimes {
    double computing = 0, exchanging = 0;
    double total() const { return computing + exchanging; }
};

/// What the simulation says of a graph that exchanges tensors within this process, beside what was measured there.
struct GraphAgainstMeasured {
    GraphKind graph = GraphKind::forward;
    CommunicationTimes simulated, measured;
    double around = 0;  ///< measured: what the graph takes beside its steps, in the wrapper around it
};

/// Nothing is exchanged while a rank computes, as its thread does both: times add up. Measured are the steps of the
/// graphs, collectives and waits, and all others. `found`: simulated with the costs of this process. Graphs that were
/// not timed are left out.
std::vector<GraphAgainstMeasured> againstMeasured(const Communication& found, const TimingResult& timing);

/// Of all graphs together: simulated divided by measured; 0 if nothing was measured.
double simulatedShare(const std::vector<GraphAgainstMeasured>& graphs);

}  // namespace aotscope
