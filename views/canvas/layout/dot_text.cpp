#include "canvas/layout/dot_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace aotscope {

namespace {

constexpr double kPixelsPerInch = 72;
constexpr const char* kSpineWeight = "40";

QByteArray inches(double pixels) { return QByteArray::number(pixels / kPixelsPerInch, 'f', 4); }

std::pair<int, int> orientedEnds(const DrawnGraph& graph, const LayoutPlan::Column& column, int edge) {
    const DrawnEdge& e = graph.edges[static_cast<std::size_t>(edge)];
    return column.upward ? std::make_pair(e.to, e.from) : std::make_pair(e.from, e.to);
}

/// The edges of the longest path through the column. Heavy weights keep it upright; otherwise every block of a deep
/// model leans a little and the column drifts sideways.
std::set<int> spineOf(const DrawnGraph& graph, const LayoutPlan::Column& column, const std::vector<int>& rows) {
    const auto row = [&](int node) { return rows[static_cast<std::size_t>(node)]; };
    std::vector<int> byRow = column.edges;
    std::stable_sort(byRow.begin(), byRow.end(), [&](int a, int b) {
        const auto &x = graph.edges[static_cast<std::size_t>(a)], &y = graph.edges[static_cast<std::size_t>(b)];
        return std::min(row(x.from), row(x.to)) < std::min(row(y.from), row(y.to));
    });
    struct Reach {
        int length = 0, edge = -1, before = -1;
    };
    std::map<int, Reach> reach;
    int last = -1;
    for (int e : byRow) {
        const auto [upper, lower] = orientedEnds(graph, column, e);
        const int length = reach[upper].length + 1;
        if (length > reach[lower].length) reach[lower] = {length, e, upper};
        if (last < 0 || reach[lower].length > reach[last].length) last = lower;
    }
    std::set<int> spine;
    while (last >= 0 && reach[last].edge >= 0) {
        spine.insert(reach[last].edge);
        last = reach[last].before;
    }
    return spine;
}

using RowMembers = std::map<int, std::vector<int>>;

/// Row markers and the boxes that share their ranks.
QByteArray rankText(const RowMembers& members) {
    QByteArray dot = "  node [width=0.01, height=0.01, style=invis]; edge [style=invis, weight=100];\n  ";
    // Only rows with content get a marker; the others are restored when the columns are composed.
    QByteArray chain;
    for (const auto& [row, nodes] : members) chain += (chain.isEmpty() ? "r" : " -> r") + QByteArray::number(row);
    dot += chain + ";\n";
    for (const auto& [row, nodes] : members) {
        dot += "  {rank=same; r" + QByteArray::number(row) + ";";
        for (int node : nodes) dot += " " + nodeName(node) + ";";
        dot += "}\n";
    }
    return dot + "  edge [style=solid, weight=1];\n";
}

}  // namespace

QByteArray nodeName(int node) { return "n" + QByteArray::number(node); }

QByteArray dotForColumn(const DrawnGraph& graph, const LayoutPlan::Column& column, const std::vector<int>& rows,
                        bool fixedRows) {
    // The limits on network simplex keep large graphs from taking minutes; they cost little in quality.
    QByteArray dot =
        "digraph {\n  nodesep=0.3; ranksep=0.32; nslimit=4; nslimit1=4; mclimit=0.5;\n  node [shape=box, "
        "fixedsize=true, label=\"\"]; edge [dir=none];\n";
    RowMembers members;
    for (int node : column.nodes) {
        const QSizeF size = graph.nodes[static_cast<std::size_t>(node)].size;
        dot += "  " + nodeName(node) + " [width=" + inches(size.width()) + ", height=" + inches(size.height()) + "];\n";
        members[rows[static_cast<std::size_t>(node)]].push_back(node);
    }
    if (fixedRows && !members.empty()) dot += rankText(members);
    const std::set<int> spine = spineOf(graph, column, rows);
    for (int e : column.edges) {
        const auto [upper, lower] = orientedEnds(graph, column, e);
        dot += "  " + nodeName(upper) + " -> " + nodeName(lower);
        dot += spine.count(e) ? QByteArray(" [weight=") + kSpineWeight + "];\n" : QByteArray(";\n");
    }
    return dot + "}\n";
}

}  // namespace aotscope
