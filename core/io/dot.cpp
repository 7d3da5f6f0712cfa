#include "io/dot.h"

#include "ir/printer.h"

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

std::string printDot(const Graph& graph) {
    std::string text = "digraph " + dotString(graph.name()) +
                       " {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=10];\n";
    for (const Node* node : graph.nodes()) {
        const bool call = node->kind() == NodeKind::call;
        std::string label = call ? std::string(shortOpName(node->op())) + "\n%" + node->name() : "%" + node->name();
        if (!node->label.empty()) label += "\n" + node->label;
        if (node->type.known()) label += "\n" + printType(node->type);
        const char* fill = !call ? "#eeeeee" : node->stage == Stage::backward ? "#fde0c8" : "#dbe8fb";
        text += "  n" + std::to_string(node->id()) + " [label=" + dotString(label) + ", fillcolor=\"" + fill + "\"];\n";
    }
    for (const Node* node : graph.nodes())
        for (const Node* input : node->inputs())
            text += "  n" + std::to_string(input->id()) + " -> n" + std::to_string(node->id()) + ";\n";
    return text + "}\n";
}

}  // namespace aotscope
