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

}  // namespace

bool isInlined(std::string_view name) {
    static const std::set<std::string, std::less<>> inlined = {
        "wrap_with_set_grad_enabled", "wrap_with_autocast", "wrap", "strict_mode", "invoke_subgraph",
        "tag_activation_checkpoint"};
    return inlined.contains(name);
}

std::vector<bool> numberInputs(const exported::Graph& graph) {
    std::vector<bool> numbers;
    for (const exported::Argument& input : graph.inputs)
        numbers.push_back(!input.reference() || !graph.tensors.contains(input.reference()->name));
    return numbers;
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

RegionStep regionOf(const exported::Node& node, std::string_view name, const ProgramDevices& devices) {
    RegionStep region;
    const auto argument = [&]<typename T>(std::size_t i) -> const T* {
        return i < node.inputs.size() ? std::get_if<T>(&node.inputs[i].value.value) : nullptr;
    };
    if (name == "wrap_with_set_grad_enabled") {
        const bool* enabled = argument.template operator()<bool>(0);
        if (!enabled) throw Error("its grad mode is missing");
        region.gradMode = *enabled;
    }
    if (name != "wrap_with_autocast") return region;
    const std::string* device = argument.template operator()<std::string>(0);
    const bool* enabled = argument.template operator()<bool>(2);
    if (!device || !enabled) throw Error("its autocast state is missing");
    const auto type = deviceType(*device);
    if (!type || !devices.exported.contains(*type)) return region;
    AutocastRegion autocast;
    autocast.device = devices.here.type();
    if (const auto* dtype = argument.template operator()<DType>(1)) autocast.dtype = toScalarType(*dtype);
    autocast.enabled = *enabled;
    if (const bool* cache = argument.template operator()<bool>(3)) autocast.cache = *cache;
    region.autocast = autocast;
    return region;
}

}  // namespace aotscope
