#pragma once

#include "record/partition.h"

#include <string>

namespace aotscope {

/// Times of operations on `device` by the roofline. The machine is calibrated when the first one is asked for.
RuntimeModel rooflineTimes(const std::string& device);

}  // namespace aotscope
