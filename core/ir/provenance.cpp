#include "ir/provenance.h"

#include "ir/place_with_code.h"
#include "ir/printer.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// The node's own provenance.
Provenance own(const Node& node) { return {node.source, node.autograd.forward, node.autograd.function}; }

const Node* find(const std::unordered_map<NodeId, const Node*>& nodes, NodeId id) {
    const auto it = nodes.find(id);
    return it == nodes.end() ? nullptr : it->second;
}

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Provenance provenanceOf(const Node& node) {
    if (Provenance said = own(node); said.known()) return said;
    const bool item = node.isCall("operator.getitem");
    if (!item && node.stage != Stage::backward) return {};
    // Autograd adds the gradients of one value with its own operation: both come from uses of the value.
    for (const Node* input : node.inputs())
        if (item || input->stage == Stage::backward)
            if (Provenance said = own(*input); said.known()) {
                if (!item) said.function = "sum of gradients";
                return said;
            }
    return {};
}

std::string placeText(const SourceInfo* source) {
    if (!source) return {};
    std::string text = source->module.empty() ? "(top level)" : source->module;
    if (!source->moduleType.empty()) text += " (" + source->moduleType + ")";
    if (!source->file.empty()) text += ", " + baseName(source->file) + ":" + std::to_string(source->line);
    return text;
}

std::string_view codeIn(std::string_view line) {
    char quote = 0;  // of the current string literal
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quote && line[i] == '\\') ++i;
        else if (quote && line[i] == quote) quote = 0;
        else if (!quote && (line[i] == '"' || line[i] == '\'')) quote = line[i];
        else if (!quote && line[i] == '#') line = line.substr(0, i);
    }
    return line.substr(0, line.find_last_not_of(" \t") + 1);
}

std::string placeWithCode(const Node& node) {
    const auto source = provenanceOf(node).source;
    if (!source) return {};
    std::string text = placeText(source.get());
    constexpr std::string_view topLevel = "(top level), ";
    if (text.starts_with(topLevel)) text.erase(0, topLevel.size());
    const std::string_view code = codeIn(source->text);
    return code.empty() ? text : text + ": " + std::string(code);
}

std::string subclassOf(const Node& input) {
    constexpr std::string_view mark = "# ";
    const bool noted = input.kind() == NodeKind::placeholder && input.source && input.source->file.empty() &&
                       input.source->text.starts_with(mark);
    return noted ? input.source->text.substr(mark.size()) : std::string();
}

std::string describe(const Provenance& provenance, const Node* forward) {
    std::string text = provenance.function;
    if (provenance.forward != kNoNode) {
        text += std::string(text.empty() ? "" : " ") + "of " +
                (forward ? "%" + forward->name() : "forward operation " + std::to_string(provenance.forward));
    }
    const std::string place = placeText(provenance.source.get());
    return text + (text.empty() || place.empty() ? "" : ", ") + place;
}

std::string printWithProvenance(const Graph& graph) {
    const std::string plain = printGraph(graph);
    std::size_t at = plain.find('\n') + 1;
    std::string text = plain.substr(0, at), last;
    std::unordered_map<NodeId, const Node*> nodes;
    for (const Node* node : graph.nodes()) {
        nodes.emplace(node->id(), node);
        const std::size_t end = plain.find('\n', at) + 1;
        if (node->kind() == NodeKind::call) {
            const Provenance provenance = provenanceOf(*node);
            std::string comment = describe(provenance, find(nodes, provenance.forward));
            if (provenance.source && !provenance.source->text.empty()) comment += ": " + provenance.source->text;
            std::replace(comment.begin(), comment.end(), '\n', ' ');
            if (!comment.empty() && comment != last) text += "  # " + comment + "\n";
            last = std::move(comment);
        }
        if (const std::string subclass = subclassOf(*node); !subclass.empty()) text += "  # " + subclass + "\n";
        text += plain.substr(at, end - at);
        at = end;
    }
    return text + plain.substr(at);  // subgraphs
}

}  // namespace aotscope
