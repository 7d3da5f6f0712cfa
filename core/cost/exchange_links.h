#pragma once

#include "cost/machine_model.h"
#include "distributed/links.h"

namespace aotscope {

/// How ranks exchange tensors within this process.
enum class ExchangedIn : std::uint8_t {
    absentWorld,  ///< the other ranks are simulated: this rank does what it would do with their tensors
    turns,        ///< all ranks are threads, one of which runs at a time
};

/// The costs of programs of many ranks in this process.
struct ProcessCosts {
    Links links;           ///< a latency for each collective, and the bandwidth of large ones
    MachineModel machine;  ///< includes the cost of a graph step beyond the work of its operation
};

/// Measures how long each of `ranks` ranks takes for the steps of a small graph, a transformer block with all-gathers
/// and reductions, and for a large all-gather, interleaved: medians, like the times of steps. `machine`: the model of
/// the CPU. Takes about 0.5 s.
ProcessCosts costsOfThisProcess(std::size_t ranks, ExchangedIn how, const MachineModel& machine);

}  // namespace aotscope
