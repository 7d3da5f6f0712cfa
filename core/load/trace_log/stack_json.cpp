#include "load/trace_log/stack_json.h"

#include "support/json/json_text.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

std::string asText(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return {};
    return jsonLine(value);
}

const json* member(const json& record, const char* key) {
    if (!record.is_object()) return nullptr;
    const auto it = record.find(key);
    return it == record.end() ? nullptr : &*it;
}

}  // namespace

std::vector<CodePlace> stackIn(const json& record, const char* key, const std::vector<std::string>& sources) {
    std::vector<CodePlace> stack;
    const json* frames = member(record, key);
    if (!frames || !frames->is_array()) return stack;
    for (const json& frame : *frames) {
        CodePlace place;
        if (const json* file = member(frame, "filename")) {
            const bool known = file->is_number_unsigned() && file->get<std::size_t>() < sources.size();
            if (known) place.file = sources[file->get<std::size_t>()];
            else place.file = asText(*file);
        }
        if (const json* line = member(frame, "line"); line && line->is_number_integer())
            place.line = line->get<std::int64_t>();
        place.function = textIn(frame, "name");
        place.code = textIn(frame, "loc");
        stack.push_back(std::move(place));
    }
    return stack;
}

std::string textIn(const json& record, const char* key) {
    const json* value = member(record, key);
    return value ? asText(*value) : std::string();
}

double numberIn(const json& record, const char* key) {
    const json* value = member(record, key);
    return value && value->is_number() ? value->get<double>() : 0;
}

std::vector<std::string> textsIn(const json& record, const char* key) {
    std::vector<std::string> texts;
    const json* list = member(record, key);
    if (list && list->is_array())
        for (const json& each : *list) texts.push_back(asText(each));
    return texts;
}

}  // namespace aotscope
