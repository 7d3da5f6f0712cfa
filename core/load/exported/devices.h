#pragma once

#include "load/exported/export_schema.h"

#include <c10/core/Device.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// The devices of a program's tensors when it was exported, and the one that it runs on here.
struct ProgramDevices {
    std::set<c10::DeviceType> exported;
    c10::Device here;
};
/// `here` takes the place of every device.
ProgramDevices devicesOf(const exported::Graph& graph, c10::Device here);
/// One for each accelerator that the program does not run on here.
std::vector<std::string> warningsOf(const ProgramDevices& devices);

/// Nothing for a device that LibTorch does not know: nothing can be there.
std::optional<c10::DeviceType> deviceType(const std::string& device);

}  // namespace aotscope
