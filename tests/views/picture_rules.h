#pragma once

#include "canvas/edge_routes.h"
#include "canvas/layout.h"

#include <QString>

namespace aotscope::test {

/// The first two boxes that overlap; empty if there are none. Fast on large pictures.
inline QString overlap(const DrawnGraph& graph, const GraphLayout& layout) {
    const RowIndex boxes(layout.boxes);
    QString problem;
    for (std::size_t i = 0; i < layout.boxes.size() && problem.isEmpty(); ++i)
        boxes.visit(layout.boxes[i], [&](int other) {
            const auto j = static_cast<std::size_t>(other);
            if (j != i && layout.boxes[i].intersects(layout.boxes[j]))
                problem = graph.nodes[i].name + QStringLiteral(" overlaps ") + graph.nodes[j].name;
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

inline int stubs(const GraphLayout& layout) {
    int found = 0;
    for (const auto& edge : layout.edges) found += edge.stub ? 1 : 0;
    return found;
}

}  // namespace aotscope::test
