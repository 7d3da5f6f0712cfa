#include "load/exported_region.h"

#include "aten/convert.h"
#include "support/error.h"

#include <set>

namespace aotscope {

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

RegionStep regionOf(const exported::Node& node, std::string_view name, ArgumentPlanner& arguments) {
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
    AutocastRegion autocast;
    autocast.device = arguments.device({*device}).type();
    if (const auto* dtype = argument.template operator()<DType>(1)) autocast.dtype = toScalarType(*dtype);
    autocast.enabled = *enabled;
    if (const bool* cache = argument.template operator()<bool>(3)) autocast.cache = *cache;
    region.autocast = autocast;
    return region;
}

}  // namespace aotscope
