#pragma once

#include <QByteArray>
#include <QHash>
#include <QPointF>
#include <vector>

namespace aotscope {

/// Graphviz's "plain" output: centres of nodes and Bezier control points of edges, in inches, y upwards.
/// Format: https://graphviz.org/docs/outputs/plain/
struct PlainLayout {
    double width = 0, height = 0;
    QHash<QByteArray, QPointF> nodes;
    struct Edge {
        QByteArray tail, head;
        std::vector<QPointF> points;
    };
    std::vector<Edge> edges;

    /// Throws Error if Graphviz has omitted the node.
    QPointF centreOf(const QByteArray& node) const;
};

/// Throws Error with the line that cannot be read.
PlainLayout parsePlain(const QByteArray& text);

}  // namespace aotscope
