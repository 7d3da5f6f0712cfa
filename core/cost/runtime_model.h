#pragma once

#include "cost/machine_model.h"
#include "record/results/operator_costs.h"

#include <functional>
#include <memory>

namespace aotscope {

/// The run time of an operation in milliseconds, if the estimator needs one.
struct RuntimeModel {
    std::function<double(const Node&)> roofline, measured;
};

/// Roofline estimates, except for what `costs` knows, for any thread. The machine's model is asked for once, at the
/// first estimate. `costs` may be null.
RuntimeModel rooflineTimes(MachineSource machine, std::shared_ptr<const OperatorCosts> costs = nullptr);

}  // namespace aotscope
