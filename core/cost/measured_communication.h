#pragma once

#include "cost/communication.h"
#include "record/results/results.h"

#include <vector>

namespace aotscope {

/// For one graph, in milliseconds.
struct CommunicationTimes {
    double computing = 0, exchanging = 0;
    double total() const { return computing + exchanging; }
};

/// Simulated and measured times of a graph that communicates within this process.
struct GraphAgainstMeasured {
    GraphKind graph = GraphKind::forward;
    CommunicationTimes simulated, measured;
    double around = 0;  ///< measured: time of the graph outside its steps, in the wrapper around it
};

/// A rank does not overlap communication and computation, since its thread does both: times add up. The measurements
/// are the steps of the graphs: collectives and waits, and all others. `found`: simulated with the costs of this
/// process. Graphs that were not timed are left out.
std::vector<GraphAgainstMeasured> againstMeasured(const Communication& found, const TimingResult& timing);

/// For all graphs together: simulated divided by measured; 0 without measurements.
double simulatedShare(const std::vector<GraphAgainstMeasured>& graphs);

}  // namespace aotscope
