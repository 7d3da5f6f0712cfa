#include "remote/remote_options.h"

#include "io/session/inputs_json.h"
#include "io/session/packed.h"
#include "io/session/record_fields.h"
#include "record/options/remote_model.h"
#include "remote/frame.h"

namespace aotscope {

namespace {

using nlohmann::json;
using Purpose = GivenOptions::Purpose;

json pathsJson(const std::vector<std::filesystem::path>& paths) {
    json list = json::array();
    for (const auto& path : paths) list.push_back(path.string());
    return list;
}

std::vector<std::filesystem::path> pathsIn(const json& message, const char* key) {
    const auto names = textsOf(message, key);
    return {names.begin(), names.end()};
}

}  // namespace

json kindsJson(const OperatorKinds& kinds) {
    json names = json::array();
    for (const AllowableKind& kind : allowableKinds())
        if (kinds.contains(kind.kind)) names.push_back(std::string(kind.name));
    return names;
}

OperatorKinds kindsFrom(const json& from) {
    OperatorKinds kinds;
    for (const json& name : session_format::listIn(from))
        if (const auto kind = allowableKind(session_format::textIn(name))) kinds.add(*kind);
    return kinds;
}

json allOptionsJson(const Options& given) {
    Options options = given;
    options.model = modelThere(given.model);
    return {{"saved", bytesJson(session_format::packed(options))},
            {"inputs", session_format::inputsJson(options.inputs)},
            {"libraries", pathsJson(options.libraries)},
            {"plugins", pathsJson(options.compilers.plugins)},
            {"partition_function", options.partition.function.string()},
            {"allow", kindsJson(options.allow)},
            {"seconds", options.limits.seconds},
            {"bytes", options.limits.bytes},
            {"given", options.given ? options.given->names() : std::vector<std::string>()},
            {"runs", options.plans(Purpose::run)},
            {"kernels", options.plans(Purpose::kernels)},
            {"estimates", options.plans(Purpose::estimate)}};
}

Options allOptionsFrom(const json& from) {
    auto options = session_format::unpacked<Options>(bytesOf(from, "saved"));
    options.inputs = session_format::inputsFrom(memberOf(from, "inputs"));
    options.libraries = pathsIn(from, "libraries");
    options.compilers.plugins = pathsIn(from, "plugins");
    options.partition.function = textOf(from, "partition_function");
    options.allow = kindsFrom(memberOf(from, "allow"));
    options.limits.seconds = realOf(from, "seconds");
    options.limits.bytes = integerOf(from, "bytes");
    options.given = std::make_shared<GivenOptions>();
    for (const std::string& name : textsOf(from, "given")) options.given->add(name);
    if (truthOf(from, "runs")) options.given->plan(Purpose::run);
    if (truthOf(from, "kernels")) options.given->plan(Purpose::kernels);
    if (truthOf(from, "estimates")) options.given->plan(Purpose::estimate);
    return options;
}

json optionUseJson(const Options& options) {
    return {{"used", options.given->used()}, {"unused", options.given->unused()}};
}

void takeOptionUse(const json& use, const Options& options) {
    if (!options.given) return;
    for (const std::string& name : textsOf(use, "used")) options.use(name);
    for (const auto& [name, why] : objectOf(use, "unused").items())
        if (why.is_string()) options.given->explain(name, why.get<std::string>());
}

}  // namespace aotscope
