#pragma once

#include <string>

namespace aotscope {

/// A device available on this machine.
struct DeviceChoice {
    std::string name, help;
};

}  // namespace aotscope
