#pragma once

#include "cost/machine_model.h"
#include "distributed/links.h"

namespace aotscope {

/// How ranks of this process exchange tensors.
enum class ExchangedIn : std::uint8_t {
    absentWorld,  ///< the others are not there: this rank does what it would do with their tensors
    turns,        ///< all of them are threads, one of which runs at any moment
};

/// What programs of many ranks cost in this process.
struct ProcessCosts {
    Links links;           ///< a latency for each collective, and the bandwidth of large ones
    MachineModel machine;  ///< with what a step of a graph takes beside the work of its operation, in such a process
};

/// Measures how long each of `ranks` ranks takes for the steps of a small graph, a transformer block with all-gathers
/// and reductions, and for a large all-gather, in turn: medians, as times of steps are. `machine`: the model of the
/// CPU. Takes about 0.5 s.
ProcessCosts costsOfThisProcess(std::size_t ranks, ExchangedIn how, const MachineModel& machine);

}  // namespace aotscope
