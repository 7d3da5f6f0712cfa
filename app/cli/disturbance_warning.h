#pragma once

#include <string>

namespace aotscope {

/// Warns on stderr if the estimated times on `device` are unreliable.
void warnOfDisturbance(const std::string& device);

}  // namespace aotscope
