#include "io/differences/graph_difference_text.h"

#include "ir/printer.h"

#include <nlohmann/json.hpp>

#include <array>
#include <unordered_map>

namespace aotscope {

namespace {

using Nodes = std::unordered_map<NodeId, const Node*>;

Nodes nodesOf(const Graph& graph) {
    Nodes nodes;
    for (const Node* node : graph.nodes()) nodes[node->id()] = node;
    return nodes;
}

char markOf(DifferenceKind kind) {
    constexpr std::array<char, 7> marks = {' ', '+', '-', '*', '~', '>', '='};
    return marks.at(static_cast<std::size_t>(kind));
}

std::string nameOf(const Nodes& nodes, NodeId id) {
    if (id == kNoNode) return {};
    const Node& node = *nodes.at(id);
    return node.kind() == NodeKind::output ? "return" : node.name();
}

}  // namespace

std::vector<std::string> differenceLines(const GraphDifference& difference) {
    const Nodes before = nodesOf(*difference.before), after = nodesOf(*difference.after);
    std::vector<std::string> lines;
    for (const DifferenceRow& row : difference.rows) {
        if (row.kind == DifferenceKind::same) continue;
        const Node& node = row.after != kNoNode ? *after.at(row.after) : *before.at(row.before);
        const std::string note = row.kind == DifferenceKind::replaced ? "replaced: " + row.what : row.what;
        lines.push_back(std::string{markOf(row.kind), ' '} + printNode(node) + (note.empty() ? "" : "  # " + note));
    }
    return lines;
}

std::string differenceText(const GraphDifference& difference) {
    std::string text;
    for (const std::string& line : differenceLines(difference)) text += line + "\n";
    return text + summaryOf(difference) + "\n";
}

namespace {

nlohmann::json aspectNamesOf(AspectSet set) {
    auto names = nlohmann::json::array();
    for (const AspectInfo& info : aspects())
        if (set.has(info.aspect)) names.push_back(info.name);
    return names;
}

}  // namespace

nlohmann::json differenceJson(const GraphDifference& difference) {
    const Nodes before = nodesOf(*difference.before), after = nodesOf(*difference.after);
    auto nodes = nlohmann::json::array();
    for (const DifferenceRow& row : difference.rows)
        if (row.kind != DifferenceKind::same)
            nodes.push_back({{"fate", name(row.kind)},
                             {"before", nameOf(before, row.before)},
                             {"after", nameOf(after, row.after)},
                             {"what", row.what},
                             {"aspects", aspectNamesOf(row.aspects)}});
    return {{"changed", !difference.empty()},
            {"counts",
             {{"added", difference.added},
              {"removed", difference.removed},
              {"replaced", difference.replaced},
              {"changed", difference.changed},
              {"moved", difference.moved},
              {"renamed", difference.renamed}}},
            {"nodes", nodes}};
}

}  // namespace aotscope
