#pragma once

#include "cost/variant_costs.h"
#include "record/options/options.h"

namespace aotscope {

/// Estimates for the operations of a run: on its device, with the ranks and links of its options.
inline NodeTimes estimatedTimes(const Options& options, const CompileRecord& record, const MachineModel& machine) {
    NodeTimes times(machine, record.costs);
    times.setCompilers(record.compilers);
    times.setRanks(options.world, linksNamed(options.links));
    return times;
}

}  // namespace aotscope
