#include "load/exported/devices.h"

#include "load/exported/uses.h"
#include "support/quoted.h"

namespace aotscope {

ProgramDevices devicesOf(const exported::Graph& graph, c10::Device here) {
    std::set<std::string_view> names;
    exported::forEachGraph(graph, [&](const exported::Graph& one) {
        for (const auto& [name, tensor] : one.tensors) names.insert(tensor.device.name);
    });
    ProgramDevices devices{{}, here};
    for (const std::string_view name : names)
        if (const auto type = deviceType(std::string(name))) devices.exported.insert(*type);
    return devices;
}

std::vector<std::string> warningsOf(const ProgramDevices& devices) {
    std::vector<std::string> warnings;
    for (const c10::DeviceType type : devices.exported)
        if (type != at::kCPU && type != at::kMeta && type != devices.here.type())
            warnings.push_back("the program was exported for device " +
                               inQuotes(c10::DeviceTypeName(type, /*lower_case=*/true)) + "; it runs on " +
                               (devices.here.is_cpu() ? "the CPU" : devices.here.str()) + " here");
    return warnings;
}

std::optional<c10::DeviceType> deviceType(const std::string& device) {
    try {
        return c10::Device(device).type();
    } catch (const c10::Error&) {
        return std::nullopt;
    }
}

}  // namespace aotscope
