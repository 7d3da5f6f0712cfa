#pragma once

#include "ir/graph.h"

#include <functional>
#include <string>

namespace aotscope {

/// Milliseconds of one operation, where the estimator asks for them.
struct RuntimeModel {
    std::function<double(const Node&)> roofline, measured;
};

/// Times of operations on `device` by the roofline. The machine is calibrated when the first one is asked for.
RuntimeModel rooflineTimes(const std::string& device);

}  // namespace aotscope
