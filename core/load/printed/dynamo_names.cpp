#include "load/printed/dynamo_names.h"

#include "load/printed/printed_metadata.h"

#include <array>

namespace aotscope {

namespace {

struct ProgramName {
    std::string name;
    Role role = Role::userInput;
};

/// "layer1.0.conv1.weight" and parameter of "L_self_modules_layer1_modules_0_modules_conv1_parameters_weight_".
ProgramName programName(std::string_view text) {
    constexpr std::string_view modules = "_modules_";
    constexpr std::array kinds = {std::pair{std::string_view("_parameters_"), Role::parameter},
                                  std::pair{std::string_view("_buffers_"), Role::buffer}};
    ProgramName result;
    if (text.starts_with("L_") || text.starts_with("l_") || text.starts_with("G_")) text.remove_prefix(2);
    while (text.ends_with('_')) text.remove_suffix(1);
    for (const auto& [marker, role] : kinds) {
        const auto at = text.rfind(marker);
        if (at == std::string_view::npos) continue;
        result.role = role;
        const auto leaf = text.substr(at + marker.size());
        auto path = text.substr(0, at);
        auto next = path.find(modules);
        while (next != std::string_view::npos) {
            path.remove_prefix(next + modules.size());
            next = path.find(modules);
            result.name += std::string(path.substr(0, next)) + ".";
        }
        result.name += leaf;
        return result;
    }
    result.name = text;
    return result;
}

}  // namespace

bool nameByDynamo(const Graph& source, Graph& graph) {
    const auto primals = primalsOf(graph), inputs = source.placeholders();
    if (inputs.size() != primals.size()) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!(inputs[i]->type == primals[i]->type)) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        // The printed name is the origin of the value.
        const auto name =
            programName(inputs[i]->label.empty() || inputs[i]->type.scalar() ? inputs[i]->name() : inputs[i]->label);
        primals[i]->label = name.name;
        if (primals[i]->role == Role::userInput) primals[i]->role = name.role;
    }
    return true;
}

}  // namespace aotscope
