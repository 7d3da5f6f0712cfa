#include "io/differences/graph_difference_text.h"

#include "io/differences/difference_table.h"
#include "io/tables/table_text.h"
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

nlohmann::json differenceJson(const GraphDifference& difference) {
    return {
        {"changed", !difference.empty()},
        {"counts",
         {{"added", difference.added},
          {"removed", difference.removed},
          {"replaced", difference.replaced},
          {"changed", difference.changed},
          {"moved", difference.moved},
          {"renamed", difference.renamed}}},
        {"nodes", tableJson(withColumns(differenceTable(difference), {"fate", "before", "after", "what", "aspects"}))}};
}

}  // namespace aotscope
