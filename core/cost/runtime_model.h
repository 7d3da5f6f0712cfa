#pragma once

#include "cost/machine_model.h"

#include <functional>

namespace aotscope {

/// The run time of an operation in milliseconds, if the estimator needs one.
struct RuntimeModel {
    std::function<double(const Node&)> roofline, measured;
};

/// Roofline estimates, for any thread. The machine's model is asked for once, at the first estimate.
RuntimeModel rooflineTimes(MachineSource machine);

}  // namespace aotscope
