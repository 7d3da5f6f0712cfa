#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// Names of all passes of the pipeline, in order.
std::vector<std::string> passNames();

}  // namespace aotscope
