#include "io/dot.h"

#include "ir/printer.h"
#include "ir/subgraphs.h"

namespace aotscope {

std::string dotString(std::string_view text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (c == '\n') quoted += "\\n";
        else quoted += c;
    }
    return quoted + '"';
}

namespace {

/// `prefix` starts the names of this graph's nodes.
void addGraph(const Graph& graph, const std::string& prefix, std::string& text) {
    const auto nameOf = [&](const Node* node) { return prefix + std::to_string(node->id()); };
    for (const Node* node : graph.nodes()) {
        const bool call = node->kind() == NodeKind::call;
        std::string label = call ? std::string(shortOpName(node->op())) + "\n%" + node->name() : "%" + node->name();
        if (!node->label.empty()) label += "\n" + node->label;
        if (node->type.known()) label += "\n" + printType(node->type);
        for (const auto& subgraph : subgraphsOf(*node)) label += "\n@" + subgraph->name();
        const char* fill = !call ? "#eeeeee" : node->stage == Stage::backward ? "#fde0c8" : "#dbe8fb";
        text += "  " + nameOf(node) + " [label=" + dotString(label) + ", fillcolor=\"" + fill + "\"];\n";
    }
    for (const Node* node : graph.nodes())
        for (const Node* input : node->inputs()) text += "  " + nameOf(input) + " -> " + nameOf(node) + ";\n";
}

/// A cluster for each subgraph, within that of its owner.
void addSubgraphs(const Graph& graph, const std::string& prefix, std::string& text) {
    std::size_t number = 0;
    for (const auto& subgraph : subgraphsOf(graph)) {
        const std::string own = prefix + "s" + std::to_string(number++) + "_";
        text +=
            "  subgraph " + dotString("cluster_" + own) + " {\n  label=" + dotString("@" + subgraph->name()) + ";\n";
        addGraph(*subgraph, own, text);
        addSubgraphs(*subgraph, own, text);
        text += "  }\n";
    }
}

}  // namespace

std::string printDot(const Graph& graph) {
    std::string text = "digraph " + dotString(graph.name()) +
                       " {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=10];\n";
    addGraph(graph, "n", text);
    addSubgraphs(graph, "n", text);
    return text + "}\n";
}

}  // namespace aotscope
