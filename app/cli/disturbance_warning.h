#pragma once

#include <string>

namespace aotscope {

/// Says on stderr if estimated times on `device` are not to be trusted.
void warnOfDisturbance(const std::string& device);

}  // namespace aotscope
