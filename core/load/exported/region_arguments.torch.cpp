#include "load/exported/region_arguments.h"

#include "aten/convert.h"
#include "execute/regions.h"
#include "support/error.h"

namespace aotscope {

namespace {

template <typename T>
const T* constantOf(const exported::Node& node, std::size_t i) {
    return i < node.inputs.size() ? std::get_if<T>(&node.inputs[i].value.value) : nullptr;
}

std::vector<Argument> gradModeOf(const exported::Node& node) {
    const bool* enabled = constantOf<bool>(node, 0);
    if (!enabled) throw Error("its grad mode is missing");
    return {*enabled};
}

/// Nothing: it has no effect.
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

}  // namespace

bool isInlined(std::string_view name) {
    static const std::set<std::string, std::less<>> inlined = {
        "wrap_with_set_grad_enabled", "wrap_with_autocast", "wrap", "strict_mode", "invoke_subgraph",
        "tag_activation_checkpoint"};
    return inlined.contains(name);
}

std::optional<RegionBegin> beginOfRegion(const exported::Node& node, std::string_view name,
                                         const ProgramDevices& devices, std::int32_t& checkpoints) {
    if (name == "tag_activation_checkpoint")
        return RegionBegin{std::string(kCheckpointRegion), {std::int64_t{checkpoints++}}};
    if (name == "wrap_with_set_grad_enabled") return RegionBegin{std::string(kGradModeRegion), gradModeOf(node)};
    if (name != "wrap_with_autocast") return std::nullopt;
    auto args = autocastOf(node, devices);
    return args.empty() ? std::nullopt : std::optional(RegionBegin{std::string(kAutocastRegion), std::move(args)});
}

}  // namespace aotscope
