#include "load/printed/exported_graph.h"

#include "ir/parser.h"
#include "load/printed/exported_comments.h"
#include "support/bounded_json.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/text_encoding.h"

#include <nlohmann/json.hpp>

#include <unordered_map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;

[[noreturn]] void refuse(const std::string& what) {
    throw Error("expected a graph that aotscope exported as JSON; " + what + "; export it again");
}

const json& member(const json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) refuse(std::string("it has no '") + key + "'");
    return *it;
}

std::string textOf(const json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return {};
    if (!it->is_string()) refuse(std::string("'") + key + "' of a node is no text");
    return it->get<std::string>();
}

std::int64_t numberOf(const json& object, const char* key, std::int64_t otherwise) {
    const auto it = object.find(key);
    if (it == object.end()) return otherwise;
    if (!it->is_number_integer()) refuse(std::string("'") + key + "' of a node is no whole number");
    return it->get<std::int64_t>();
}

NodeId idOf(const json& object, const char* key) {
    const auto id = numberOf(object, key, kNoNode);
    if (id < kNoNode || id > std::int64_t{1} << 30) refuse(std::string("'") + key + "' of a node is out of range");
    return static_cast<NodeId>(id);
}

/// What the text of a graph does not say of a node.
void complete(Node& node, const json& entry) {
    node.label = textOf(entry, "label");
    node.stage = textOf(entry, "stage") == "backward" ? Stage::backward : Stage::forward;
    node.autograd.function = textOf(entry, "autograd");
    node.autograd.forward = idOf(entry, "forward");
    if (!entry.contains("source")) return;
    SourceInfo source;
    source.module = textOf(entry, "module");
    source.file = textOf(entry, "file");
    source.line = static_cast<std::int32_t>(numberOf(entry, "line", 0));
    source.text = textOf(entry, "source");
    node.source = std::make_shared<SourceInfo>(std::move(source));
}

std::unique_ptr<Graph> fromJson(std::string_view content) {
    json document;
    try {
        document = parseBounded(content);
    } catch (const json::exception& e) {
        refuse(std::string("it is not valid JSON: ") + e.what());
    }
    if (!document.is_object()) refuse("it is no object");
    const json &text = member(document, "text"), &nodes = member(document, "nodes");
    if (!text.is_string() || !nodes.is_array()) refuse("'text' is no text or 'nodes' no list");
    auto graph = parseGraph(text.get_ref<const std::string&>());
    if (graph->size() != nodes.size())
        refuse("its text has " + std::to_string(graph->size()) + " nodes, 'nodes' " + std::to_string(nodes.size()));
    std::unordered_map<NodeId, std::size_t> seen;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = *graph->at(i);
        const json& entry = nodes[i];
        if (!entry.is_object() || textOf(entry, "name") != node.name())
            refuse("node " + std::to_string(i) + " of its text is '" + node.name() +
                   "', which 'nodes' does not have there");
        const NodeId id = idOf(entry, "id");
        if (id == kNoNode || !seen.emplace(id, i).second) refuse("node '" + node.name() + "' has no id of its own");
        complete(node, entry);
        graph->setIdentity(&node, id);
    }
    return graph;
}

}  // namespace

bool looksLikeExportedGraph(std::string_view beginning) {
    if (beginning.starts_with("graph ")) return beginning.find("\n  ") != std::string_view::npos;
    if (!beginning.starts_with('{')) return false;
    const auto key = beginning.find('"');
    return key != std::string_view::npos && beginning.substr(key).starts_with("\"graph\":");
}

std::unique_ptr<Graph> parseExportedGraph(std::string_view content, const std::string& file) {
    try {
        if (content.starts_with('{')) return fromJson(content);
        auto graph = parseGraph(content);
        readComments(content, *graph);
        return graph;
    } catch (const Error& e) {
        throw Error("'" + file + "': " + e.what());
    }
}

std::unique_ptr<Graph> readExportedGraph(const std::filesystem::path& path) {
    return parseExportedGraph(toUtf8(InputFile(path).readAll(kLargestFile)), path.filename().string());
}

}  // namespace aotscope
