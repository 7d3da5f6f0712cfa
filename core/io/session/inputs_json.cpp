#include "io/session/inputs_json.h"

#include "program/inputs/input_spec.h"
#include "support/error.h"

namespace aotscope::session_format {

json inputsJson(const InputSource& inputs) {
    if (const auto* spec = std::get_if<InputSpec>(&inputs)) return {{"spec", printInputSpec(*spec)}};
    if (const auto* file = std::get_if<std::filesystem::path>(&inputs)) return {{"file", file->string()}};
    return nullptr;
}

InputSource inputsFrom(const json& inputs) {
    if (inputs.is_null()) return {};
    if (inputs.is_object() && inputs.contains("spec"))
        return parseInputSpec(textIn(inputs["spec"]), "the session's input spec");
    if (!inputs.is_object() || !inputs.contains("file")) throw Error("its inputs are neither a spec nor a file");
    return std::filesystem::path(textIn(inputs["file"]));
}

}  // namespace aotscope::session_format
