#include "io/overlay.h"

#include "support/enumerators.h"
#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 28;

Overlay::Value valueOf(const Json& given, const std::string& name, const std::string& where) {
    if (given.is_number()) {
        const auto number = given.get<double>();
        if (std::isfinite(number)) return number;
    }
    if (given.is_string()) return given.get<std::string>();
    if (given.is_boolean()) return std::string(given.get<bool>() ? "true" : "false");
    throw Error("'" + where + "': the value of '" + name + "' is " +
                (given.is_number() ? "not finite" : given.type_name()) + "; expected a number, a string or a boolean");
}

std::string withoutPercent(const std::string& name) {
    return name.substr(std::min(name.find_first_not_of('%'), name.size()));
}

void readValues(const Json& given, const std::string& where, Overlay& overlay) {
    for (const auto& [name, value] : given.items()) {
        const auto kind = graphKindFromName(name);
        if (!value.is_object()) {
            overlay.everywhere[withoutPercent(name)] = valueOf(value, name, where);
        } else if (kind) {
            for (const auto& [node, inner] : value.items())
                overlay.inGraph[*kind][withoutPercent(node)] = valueOf(inner, node, where);
        } else {
            std::vector<std::string> kinds;
            for (const GraphKind known : kEnumerators<GraphKind>) kinds.emplace_back(aotscope::name(known));
            throw Error("'" + where + "': '" + name + "' has values of its own, but is not a graph; graphs are " +
                        quotedNames(kinds));
        }
    }
}

std::string optionalText(const Json& given, const char* key, const std::string& where) {
    const auto it = given.find(key);
    if (it == given.end()) return {};
    if (!it->is_string()) throw Error("'" + where + "': '" + key + "' is not a string");
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

Json parsed(std::string_view text, const std::string& where) {
    try {
        return parseBounded(text);
    } catch (const Error& e) {
        throw Error("'" + where + "' " + e.what());
    } catch (const Json::exception&) {
        throw Error("'" + where + "' is not JSON; an overlay is {\"NODE\": VALUE, ...}");
    }
}

}  // namespace

Overlay parseOverlay(std::string_view text, const std::string& where) {
    const Json document = parsed(text, where);
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
                            "' beside 'values'; only 'title' and 'unit' are allowed there");
        overlay.title = optionalText(document, "title", where);
        overlay.unit = optionalText(document, "unit", where);
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
    const auto objectOf = [](const Overlay::Values& values) {
        Json object = Json::object();
        for (const auto& [node, value] : values)
            std::visit([&object, &node = node](const auto& v) { object[node] = v; }, value);
        return object;
    };
    Json values = objectOf(overlay.everywhere);
    for (const auto& [kind, own] : overlay.inGraph) values[std::string(name(kind))] = objectOf(own);
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
