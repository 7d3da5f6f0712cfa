#include "load/exported/region.h"

#include "aten/convert.h"
#include "load/exported/uses.h"
#include "support/error.h"
#include "support/quoted.h"

namespace aotscope {

namespace {

/// Nothing for a device that LibTorch does not know: nothing can be there.
std::optional<c10::DeviceType> deviceType(const std::string& device) {
    try {
        return c10::Device(device).type();
    } catch (const c10::Error&) {
        return std::nullopt;
    }
}

template <typename T>
const T* constantOf(const exported::Node& node, std::size_t i) {
    return i < node.inputs.size() ? std::get_if<T>(&node.inputs[i].value.value) : nullptr;
}

}  // namespace

bool isInlined(std::string_view name) {
    static const std::set<std::string, std::less<>> inlined = {
        "wrap_with_set_grad_enabled", "wrap_with_autocast", "wrap", "strict_mode", "invoke_subgraph",
        "tag_activation_checkpoint"};
    return inlined.contains(name);
}

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

std::vector<Argument> gradModeOf(const exported::Node& node) {
    const bool* enabled = constantOf<bool>(node, 0);
    if (!enabled) throw Error("its grad mode is missing");
    return {*enabled};
}

std::vector<Argument> autocastOf(const exported::Node& node, const ProgramDevices& devices) {
    const std::string* device = constantOf<std::string>(node, 0);
    const bool* enabled = constantOf<bool>(node, 2);
    if (!device || !enabled) throw Error("its autocast state is missing");
    const auto type = deviceType(*device);
    if (!type || !devices.exported.contains(*type)) return {};
    const DType* dtype = constantOf<DType>(node, 1);
    const bool* cache = constantOf<bool>(node, 3);
    return {toDevice(devices.here), dtype ? Argument(*dtype) : Argument(), *enabled,
            cache ? Argument(*cache) : Argument()};
}

}  // namespace aotscope
