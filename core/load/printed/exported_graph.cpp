#include "load/printed/exported_graph.h"

#include "ir/parser.h"
#include "load/printed/exported_comments.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/json/bounded_json.h"
#include "support/json/json_value.h"
#include "support/text_encoding.h"

#include <nlohmann/json.hpp>

#include <unordered_map>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;

constexpr std::string_view kAdvice = "; it should be a graph that aotscope exported as JSON: export it again";

std::string textIn(const JsonValue& entry, std::string_view key) {
    const auto text = entry.find(key);
    return text ? text->text() : std::string();
}

std::int64_t numberIn(const JsonValue& entry, std::string_view key, std::int64_t otherwise) {
    const auto number = entry.find(key);
    return number ? number->integer() : otherwise;
}

NodeId idIn(const JsonValue& entry, std::string_view key) {
    const auto id = numberIn(entry, key, kNoNode);
    if (id < kNoNode || id > std::int64_t{1} << 30) entry[key].fail("a number from 0 to 2^30");
    return static_cast<NodeId>(id);
}

/// Adds what the text of a graph does not say about a node.
void complete(Node& node, const JsonValue& entry) {
    node.label = textIn(entry, "label");
    node.stage = textIn(entry, "stage") == "backward" ? Stage::backward : Stage::forward;
    node.autograd.function = textIn(entry, "autograd");
    node.autograd.forward = idIn(entry, "forward");
    if (!entry.find("source")) return;
    SourceInfo source;
    source.module = textIn(entry, "module");
    source.file = textIn(entry, "file");
    source.line = static_cast<std::int32_t>(numberIn(entry, "line", 0));
    source.text = textIn(entry, "source");
    node.source = std::make_shared<SourceInfo>(std::move(source));
}

nlohmann::json parsed(std::string_view content) {
    try {
        return parseBounded(content);
    } catch (const nlohmann::json::exception& e) {
        throw Error("it is not valid JSON: " + invalidJson(e) + std::string(kAdvice));
    }
}

std::unique_ptr<Graph> fromJson(std::string_view content) {
    const nlohmann::json json = parsed(content);
    const JsonValue document(json, "its content:", kAdvice), nodes = document["nodes"];
    auto graph = parseGraph(document["text"].text());
    if (!nodes.isList() || graph->size() != nodes.size())
        nodes.fail("one entry for each of the " + std::to_string(graph->size()) + " nodes of its text");
    std::unordered_map<NodeId, std::size_t> seen;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = *graph->at(i);
        const JsonValue entry = nodes[i];
        if (textIn(entry, "name") != node.name()) entry.fail("the node '" + node.name() + "' of its text");
        const NodeId id = idIn(entry, "id");
        if (id == kNoNode || !seen.emplace(id, i).second) entry.refuse("the node has no id of its own");
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
