#pragma once

#include "load/exported/export_schema.h"

#include <c10/core/Device.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// The devices of a program's tensors at export, and the one that it runs on here.
struct ProgramDevices {
    std::set<c10::DeviceType> exported;
    c10::Device here;
};
/// `here` replaces every device.
ProgramDevices devicesOf(const exported::Graph& graph, c10::Device here);
/// One for each accelerator of the program that is not used here.
std::vector<std::string> warningsOf(const ProgramDevices& devices);

/// Nothing for a device type unknown to LibTorch, which cannot exist here.
std::optional<c10::DeviceType> deviceType(const std::string& device);

}  // namespace aotscope
