#pragma once

#include "canvas/layout/edge_routes.h"
#include "canvas/layout/layout.h"
#include "support/literals.h"

#include <QString>

namespace aotscope::test {

/// The first two boxes that overlap; empty: none. Fast on large pictures.
inline QString overlap(const DrawnGraph& graph, const GraphLayout& layout) {
    const RowIndex boxes(layout.boxes);
    QString problem;
    for (std::size_t i = 0; i < layout.boxes.size() && problem.isEmpty(); ++i)
        boxes.visit(layout.boxes[i], [&](int other) {
            const auto j = static_cast<std::size_t>(other);
            if (j != i && layout.boxes[i].intersects(layout.boxes[j]))
                problem = graph.nodes[i].name + u" overlaps "_s + graph.nodes[j].name;
            return problem.isEmpty();
        });
    return problem;
}

/// Drawn edges that cross a box other than their ends.
inline int edgesThroughBoxes(const DrawnGraph& graph, const GraphLayout& layout) {
    const EdgeRoutes routes(graph, layout);
    int found = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (!layout.edges[e].stub && routes.blocked(graph.edges[e], layout.edges[e].path)) ++found;
    return found;
}

/// A rung that runs level along the upper or lower border of a box that it only passes, or of a frame.
inline QString rungAlongBorder(const DrawnGraph& graph, const GraphLayout& layout) {
    std::vector<QRectF> places = layout.boxes;
    for (const auto& frame : layout.frames) places.push_back(frame.rect);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const DrawnEdge& edge = graph.edges[e];
        if (edge.kind != DrawnEdge::Kind::rung || layout.edges[e].stub) continue;
        const std::vector<QPointF> points = flattened(layout.edges[e].path);
        for (std::size_t i = 1; i < points.size(); ++i)
            for (std::size_t p = 0; p < places.size(); ++p) {
                const QPointF a = points[i - 1], b = points[i];
                const double common = std::min(b.x(), places[p].right()) - std::max(a.x(), places[p].left());
                const double distance =
                    std::min(std::abs(a.y() - places[p].top()), std::abs(a.y() - places[p].bottom()));
                const bool isEnd = static_cast<int>(p) == edge.from || static_cast<int>(p) == edge.to;
                if (std::abs(a.y() - b.y()) < 0.5 && common > 10 && distance < 2 && !isEnd)
                    return graph.nodes[static_cast<std::size_t>(edge.from)].name + u" to "_s +
                           graph.nodes[static_cast<std::size_t>(edge.to)].name;
            }
    }
    return {};
}

inline int stubs(const GraphLayout& layout) {
    int found = 0;
    for (const auto& edge : layout.edges) found += edge.stub ? 1 : 0;
    return found;
}

}  // namespace aotscope::test
