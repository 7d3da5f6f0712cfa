#include "canvas/dot_text.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

constexpr double kPixelsPerInch = 72;

QByteArray inches(double pixels) { return QByteArray::number(pixels / kPixelsPerInch, 'f', 4); }

QByteArray nodeName(int index) { return "n" + QByteArray::number(index); }

}  // namespace

QByteArray dotForColumn(const DrawnGraph& graph, const LayoutPlan::Column& column, const std::vector<int>* rows) {
    // The limits on network simplex keep large graphs from taking minutes; they cost little in quality.
    QByteArray dot =
        "digraph {\n  nodesep=0.3; ranksep=0.32; nslimit=4; nslimit1=4; mclimit=0.5;\n  node [shape=box, "
        "fixedsize=true, label=\"\"]; edge [dir=none];\n";
    std::map<int, std::vector<int>> members;
    for (int node : column.nodes) {
        const QSizeF size = graph.nodes[static_cast<std::size_t>(node)].size;
        dot += "  " + nodeName(node) + " [width=" + inches(size.width()) + ", height=" + inches(size.height()) + "];\n";
        if (rows) members[(*rows)[static_cast<std::size_t>(node)]].push_back(node);
    }
    if (rows && !members.empty()) {
        dot += "  node [width=0.01, height=0.01, style=invis]; edge [style=invis, weight=100];\n  ";
        // Only rows that hold something get a marker; the others are put back when the columns are composed.
        QByteArray chain;
        for (const auto& [row, nodes] : members) chain += (chain.isEmpty() ? "r" : " -> r") + QByteArray::number(row);
        dot += chain + ";\n  edge [style=solid, weight=1];\n";
        for (const auto& [row, nodes] : members) {
            dot += "  {rank=same; r" + QByteArray::number(row) + ";";
            for (int node : nodes) dot += " " + nodeName(node) + ";";
            dot += "}\n";
        }
    }
    for (int e : column.edges) {
        const DrawnEdge& edge = graph.edges[static_cast<std::size_t>(e)];
        const int upper = column.upward ? edge.to : edge.from, lower = column.upward ? edge.from : edge.to;
        dot += "  " + nodeName(upper) + " -> " + nodeName(lower) + ";\n";
    }
    return dot + "}\n";
}

}  // namespace aotscope
