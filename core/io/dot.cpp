#include "io/dot.h"

#include "ir/printer.h"
#include "ir/subgraphs.h"
#include "ops/subgraph_role.h"
#include "support/printable.h"

namespace aotscope {

std::string dotString(std::string_view text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (c == '\n') quoted += "\\n";
        else quoted += c;
    }
    return printable(quoted) + '"';
}

namespace {

std::string dotId(NodeId id) { return "n" + std::to_string(id); }

/// Clusters in Graphviz correspond to frames on the canvas.
class DotWriter {
public:
    explicit DotWriter(const Graph& graph) : runs_(subgraphRunsByOwner(graph)) { addGraph(graph, 0); }
    std::string take() { return std::move(text_); }

private:
    void addGraph(const Graph& graph, NodeId firstId) {
        for (const Node* node : graph.nodes()) addNode(*node, firstId + node->id());
        for (const Node* node : graph.nodes())
            for (const Node* input : node->inputs())
                text_ += "  " + dotId(firstId + input->id()) + " -> " + dotId(firstId + node->id()) + ";\n";
    }

    void addNode(const Node& node, NodeId id) {
        const auto own = runs_.find(id);
        if (own == runs_.end()) return addBox(node, id);
        openCluster(dotId(id), std::string(shortOpName(node.op())));
        addBox(node, id);
        for (const SubgraphRun& run : own->second) {
            openCluster(dotId(id) + "_" + std::to_string(run.number), subgraphTitle(run));
            addGraph(*run.graph, run.firstId);
            text_ += "  }\n";
        }
        text_ += "  }\n";
    }

    void openCluster(const std::string& name, const std::string& label) {
        text_ += "  subgraph " + dotString("cluster_" + name) + " {\n  label=" + dotString(label) + ";\n";
    }

    void addBox(const Node& node, NodeId id) {
        const bool call = node.kind() == NodeKind::call;
        std::string label = call ? std::string(shortOpName(node.op())) + "\n%" + node.name() : "%" + node.name();
        if (!node.label.empty()) label += "\n" + node.label;
        if (node.type.known()) label += "\n" + printType(node.type);
        for (const auto& subgraph : subgraphsOf(node)) label += "\n@" + subgraph->name();
        const char* fill = !call ? "#eeeeee" : node.stage == Stage::backward ? "#fde0c8" : "#dbe8fb";
        text_ += "  " + dotId(id) + " [label=" + dotString(label) + ", fillcolor=\"" + fill + "\"];\n";
    }

    std::unordered_map<NodeId, std::vector<SubgraphRun>> runs_;
    std::string text_;
};

}  // namespace

std::string printDot(const Graph& graph) {
    const std::string head =
        "digraph " + dotString(graph.name()) +
        " {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=10];\n";
    return head + DotWriter(graph).take() + "}\n";
}

}  // namespace aotscope
