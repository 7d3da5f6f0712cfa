#pragma once

#include "cost/variant_costs.h"
#include "record/options/options.h"

namespace aotscope {

/// Of the operations of a run: on its device, with the ranks and links that its options name.
inline NodeTimes estimatedTimes(const Options& options) {
    NodeTimes times(machineModel(options.device));
    times.setRanks(options.world, linksNamed(options.links));
    return times;
}

}  // namespace aotscope
