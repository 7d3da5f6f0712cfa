#include "io/overlay.h"

#include "support/bounded_json.h"
#include "support/error.h"
#include "support/file.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 28;

Overlay::Value valueOf(const Json& json, const std::string& name, const std::string& where) {
    if (json.is_number()) {
        const auto number = json.get<double>();
        if (std::isfinite(number)) return number;
    }
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return std::string(json.get<bool>() ? "true" : "false");
    throw Error("'" + where + "': the value of '" + name + "' is " +
                (json.is_number() ? "not finite" : json.type_name()) +
                "; a number, a text or a truth value is expected");
}

std::string withoutPercent(const std::string& name) {
    return name.substr(std::min(name.find_first_not_of('%'), name.size()));
}

void readValues(const Json& json, const std::string& where, Overlay& overlay) {
    for (const auto& [name, value] : json.items()) {
        const auto kind = graphKindFromName(name);
        if (!value.is_object()) {
            overlay.everywhere[withoutPercent(name)] = valueOf(value, name, where);
        } else if (kind) {
            for (const auto& [node, inner] : value.items())
                overlay.inGraph[*kind][withoutPercent(node)] = valueOf(inner, node, where);
        } else {
            std::vector<std::string> kinds;
            for (int i = 0; i < kGraphKinds; ++i) kinds.emplace_back(aotscope::name(static_cast<GraphKind>(i)));
            throw Error("'" + where + "': '" + name + "' has values of its own, but is no graph; graphs are " +
                        quotedNames(kinds));
        }
    }
}

std::string textOf(const Json& json, const char* key, const std::string& where) {
    const auto it = json.find(key);
    if (it == json.end()) return {};
    if (!it->is_string()) throw Error("'" + where + "': '" + key + "' is not a text");
    return it->get<std::string>();
}

}  // namespace

const Overlay::Value* Overlay::find(GraphKind kind, std::string_view node) const {
    if (const auto own = inGraph.find(kind); own != inGraph.end())
        if (const auto it = own->second.find(node); it != own->second.end()) return &it->second;
    const auto it = everywhere.find(node);
    return it == everywhere.end() ? nullptr : &it->second;
}

std::size_t Overlay::size() const {
    std::size_t count = everywhere.size();
    for (const auto& [kind, values] : inGraph) count += values.size();
    return count;
}

namespace {

Json parsed(std::string_view json, const std::string& where) {
    try {
        return parseBounded(json);
    } catch (const Error& e) {
        throw Error("'" + where + "' " + e.what());
    } catch (const Json::exception&) {
        throw Error("'" + where + "' is no JSON; an overlay is {\"NODE\": VALUE, ...}");
    }
}

}  // namespace

Overlay parseOverlay(std::string_view json, const std::string& where) {
    const Json document = parsed(json, where);
    if (!document.is_object())
        throw Error("'" + where + "' is " + document.type_name() + "; an overlay is {\"NODE\": VALUE, ...}");
    Overlay overlay;
    const auto values = document.find("values");
    if (values == document.end()) {
        readValues(document, where, overlay);
    } else {
        if (!values->is_object())
            throw Error("'" + where + "': 'values' is " + values->type_name() + ", not an object");
        for (const auto& [key, value] : document.items())
            if (key != "values" && key != "title" && key != "unit")
                throw Error("'" + where + "': unknown key '" + key +
                            "' beside 'values'; 'title' and 'unit' may stand there");
        overlay.title = textOf(document, "title", where);
        overlay.unit = textOf(document, "unit", where);
        readValues(*values, where, overlay);
    }
    if (overlay.size() == 0) throw Error("'" + where + "' has no values; an overlay is {\"NODE\": VALUE, ...}");
    return overlay;
}

Overlay readOverlay(const std::filesystem::path& file) {
    Overlay overlay = parseOverlay(readInput(file, kLargestFile), file.string());
    if (overlay.title.empty()) overlay.title = file.stem().string();
    return overlay;
}

std::string overlayJson(const Overlay& overlay) {
    const auto object = [](const Overlay::Values& values) {
        Json json = Json::object();
        for (const auto& [node, value] : values)
            std::visit([&json, &node = node](const auto& v) { json[node] = v; }, value);
        return json;
    };
    Json values = object(overlay.everywhere);
    for (const auto& [kind, own] : overlay.inGraph) values[std::string(name(kind))] = object(own);
    return Json{{"title", overlay.title}, {"unit", overlay.unit}, {"values", std::move(values)}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

void requireOverlap(const Overlay& overlay, const Graph& graph, GraphKind kind) {
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (overlay.find(kind, graph.at(i)->name())) return;
    throw Error("the overlay " + inQuotes(overlay.title) + " has " + counted(overlay.size(), "value") +
                ", but none for a node of the " + std::string(name(kind)) +
                " graph; names are those that exported texts have, such as '" +
                (graph.size() ? graph.at(graph.size() / 2)->name() : "mm") + "'");
}

}  // namespace aotscope
