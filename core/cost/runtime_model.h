#pragma once

#include "ir/graph.h"

#include <functional>
#include <string>

namespace aotscope {

/// The run time of an operation in milliseconds, if the estimator needs one.
struct RuntimeModel {
    std::function<double(const Node&)> roofline, measured;
};

/// Roofline estimates for operations on `device`. Calibrates the machine on the first call.
RuntimeModel rooflineTimes(const std::string& device);

}  // namespace aotscope
