#include "canvas/layout/layout.h"

#include "canvas/layout/dot_text.h"
#include "canvas/layout/ladder.h"
#include "canvas/layout/layered/layered_layout.h"
#include "canvas/layout/plain_parser.h"
#include "canvas/layout/rows.h"
#include "canvas/layout/stub_labels.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr int kLongestEdge = 24;          ///< rows; longer flow edges become stubs
constexpr int kMostRungRows = 10;         ///< rows between a saved value and its use
constexpr int kMostEdgesPerBox = 24;      ///< a value used more often has stubs at its farther users
constexpr int kNear = 3, kMostFar = 5;    ///< rows; and edges of a box that lead further, to avoid fans
constexpr double kBoxesInASecond = 2200;  ///< with edges: those that Graphviz places, and its time is their square

int spanOf(const DrawnEdge& edge, const std::vector<int>& rows) {
    return std::abs(rows[static_cast<Index>(edge.from)] - rows[static_cast<Index>(edge.to)]);
}

bool isLong(const DrawnGraph& graph, const DrawnEdge& edge, const std::vector<int>& rows) {
    const int span = spanOf(edge, rows);
    if (edge.kind == DrawnEdge::Kind::rung) return span > kMostRungRows;
    // The last step to an output box is never cut.
    return span > kLongestEdge && graph.nodes[static_cast<Index>(edge.to)].kind != DrawnNode::Kind::output;
}

LayoutPlan::Column columnOf(const DrawnGraph& graph, LayoutPlan& plan, const std::vector<bool>& member, bool upward) {
    LayoutPlan::Column column;
    column.upward = upward;
    std::vector<bool> connected(graph.nodes.size(), false);
    for (Index e = 0; e < graph.edges.size(); ++e) {
        const auto& edge = graph.edges[e];
        const auto from = static_cast<Index>(edge.from), to = static_cast<Index>(edge.to);
        connected[from] = connected[to] = true;
        if (!plan.stubs[e] && edge.kind == DrawnEdge::Kind::flow && member[from] && member[to])
            column.edges.push_back(static_cast<int>(e));
    }
    // Backwards in program order, so that a box without edges finds the one that follows it. Ports are not boxes.
    int neighbour = -1;
    for (Index i = graph.nodes.size(); i-- > 0;) {
        if (!member[i]) continue;
        const int node = static_cast<int>(i);
        if (!connected[i] && neighbour >= 0) {
            column.aside.emplace_back(node, neighbour);
            plan.rows[i] = plan.rows[static_cast<Index>(neighbour)];
        } else {
            column.nodes.push_back(node);
            if (graph.nodes[i].kind != DrawnNode::Kind::port) neighbour = node;
        }
    }
    std::reverse(column.nodes.begin(), column.nodes.end());
    const double size = static_cast<double>(column.nodes.size() + column.edges.size()) / kBoxesInASecond;
    column.seconds = size * size;
    if (column.seconds <= kGraphvizSeconds) column.dot = dotForColumn(graph, column, plan.rows, graph.isLadder());
    return column;
}

double widestOf(const DrawnGraph& graph, const std::vector<int>& rows) {
    std::vector<double> widths(rows.empty() ? 0 : static_cast<Index>(*std::max_element(rows.begin(), rows.end())) + 1);
    for (Index i = 0; i < rows.size(); ++i) widths[static_cast<Index>(rows[i])] += graph.nodes[i].size.width();
    return widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end());
}

}  // namespace

std::vector<bool> chooseStubs(const DrawnGraph& graph, const std::vector<int>& rows) {
    std::vector<bool> stubs(graph.edges.size(), false);
    std::vector<int> drawn(graph.nodes.size(), 0), far(graph.nodes.size(), 0);
    for (Index e = 0; e < graph.edges.size(); ++e) {
        int& count = drawn[static_cast<Index>(graph.edges[e].from)];
        int& further = far[static_cast<Index>(graph.edges[e].from)];
        const bool toOutput = graph.nodes[static_cast<Index>(graph.edges[e].to)].kind == DrawnNode::Kind::output;
        const bool leadsFar = spanOf(graph.edges[e], rows) > kNear && !toOutput;
        stubs[e] =
            isLong(graph, graph.edges[e], rows) || count >= kMostEdgesPerBox || (leadsFar && further >= kMostFar);
        if (stubs[e]) continue;
        ++count;
        further += leadsFar ? 1 : 0;
    }
    return stubs;
}

int LayoutPlan::rowCount() const { return rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end()) + 1; }

bool LayoutPlan::isLarge() const {
    double seconds = 0;
    for (const Column& column : columns) seconds += column.seconds;
    return seconds > kGraphvizSeconds || rowCount() > kMostRows || widestRow > kWidestRow;
}

LayoutPlan planLayout(const DrawnGraph& graph) {
    return planLayout(graph, graph.isLadder() ? ladderRows(graph) : flowRows(graph));
}

LayoutPlan planLayout(const DrawnGraph& graph, std::vector<int> rows) {
    LayoutPlan plan;
    plan.rows = std::move(rows);
    plan.stubs = chooseStubs(graph, plan.rows);
    plan.widestRow = widestOf(graph, plan.rows);
    if (!graph.isLadder()) {
        plan.columns.push_back(columnOf(graph, plan, std::vector<bool>(graph.nodes.size(), true), false));
        return plan;
    }
    for (const Stage stage : {Stage::forward, Stage::backward}) {
        std::vector<bool> member(graph.nodes.size());
        for (Index i = 0; i < graph.nodes.size(); ++i) member[i] = graph.nodes[i].stage == stage;
        plan.columns.push_back(columnOf(graph, plan, member, stage == Stage::backward));
    }
    return plan;
}

GraphLayout composeLayout(const DrawnGraph& graph, const LayoutPlan& plan, const std::vector<QByteArray>& answers) {
    std::vector<PlainLayout> plain;
    for (const auto& answer : answers) plain.push_back(parsePlain(answer));
    GraphLayout layout = composeColumns(graph, plan, plain);
    finishEdges(graph, plan, layout);
    labelStubs(graph, layout);
    return layout;
}

GraphLayout simpleLayout(const DrawnGraph& graph, LayoutPlan plan, const QString& note,
                         const std::atomic<bool>& cancelled) {
    GraphLayout layout = layeredLayout(graph, plan, plan.isLarge() ? Fold::ladder : Fold::never, cancelled);
    finishEdges(graph, plan, layout);
    labelStubs(graph, layout);
    layout.note = note;
    return layout;
}

}  // namespace aotscope
