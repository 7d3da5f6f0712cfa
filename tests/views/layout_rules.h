#pragma once

#include "canvas/layout/layout.h"
#include "canvas/theme.h"
#include "support/literals.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <cmath>

namespace aotscope::test {

/// Isolated counters with many lines between boxes with few.
inline constexpr std::string_view kCounters = R"(graph counters
  %n : i64[] = placeholder(buffer)  ; id=0 label="first.count"
  %m : i64[] = placeholder(buffer)  ; id=1 label="second.count"
  %k : i64[] = placeholder(buffer)  ; id=2 label="third.count"
  %x : f32[2] = placeholder(input)  ; id=3
  %a : i64[] = aten.add.Tensor(%n, 1)  ; id=4 module="first"
  %u : ? = aten.sin.default(%x)  ; id=5
  %b : i64[] = aten.add.Tensor(%m, 1)  ; id=6 module="second"
  %c : i64[] = aten.add.Tensor(%k, 1)  ; id=7 module="third"
  %v : ? = aten.sin.default(%u)  ; id=8
  return [%a : mutated_input "first.count", %b : mutated_input "second.count", %c : mutated_input "third.count", %v : output "o"]
)";

/// Empty if every flow edge leads to a later row: down in the forward, up in the backward.
inline QString flowProblem(const DrawnGraph& graph, const std::vector<int>& rows) {
    for (const auto& edge : graph.edges) {
        if (edge.kind != DrawnEdge::Kind::flow) continue;
        const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
        const bool up = graph.isLadder() && graph.nodes[from].stage == Stage::backward;
        if (up ? rows[from] > rows[to] : rows[from] < rows[to]) continue;
        return u"%1 in row %2 feeds %3 in row %4"_s.arg(graph.nodes[from].name)
            .arg(rows[from])
            .arg(graph.nodes[to].name)
            .arg(rows[to]);
    }
    return {};
}

inline QString overlapProblem(const DrawnGraph& graph, const GraphLayout& layout) {
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
        for (std::size_t j = i + 1; j < layout.boxes.size(); ++j)
            if (layout.boxes[i].intersects(layout.boxes[j]))
                return u"%1 (%2) overlaps %3 (%4)"_s.arg(graph.nodes[i].name, graph.nodes[i].title, graph.nodes[j].name,
                                                         graph.nodes[j].title);
    return {};
}

/// True if `point` is on the border of `box`, within half a pixel.
inline bool onBorder(const QRectF& box, QPointF point) {
    constexpr qreal near = 0.5;
    return box.adjusted(-near, -near, near, near).contains(point) &&
           !box.adjusted(near, near, -near, -near).contains(point);
}

/// The ends of edges: flow enters and leaves the frame of an open operator.
inline QRectF endOf(const DrawnEdge& edge, const GraphLayout& layout, int box) {
    if (edge.kind == DrawnEdge::Kind::flow)
        for (const GroupFrame& frame : layout.frames)
            if (frame.box == box) return frame.rect;
    return layout.boxes[static_cast<std::size_t>(box)];
}

inline QString edgeProblem(const DrawnGraph& graph, const GraphLayout& layout, std::size_t e) {
    const EdgeShape& shape = layout.edges[e];
    const auto from = static_cast<std::size_t>(graph.edges[e].from), to = static_cast<std::size_t>(graph.edges[e].to);
    const QString name = graph.nodes[from].name + u" -> "_s + graph.nodes[to].name;
    if (shape.stub != shape.path.isEmpty()) return name + u": neither a path nor a stub, or both"_s;
    const QPointF start = shape.stub ? shape.start : shape.path.pointAtPercent(0),
                  end = shape.stub ? shape.end : shape.path.pointAtPercent(1);
    const QRectF source = endOf(graph.edges[e], layout, graph.edges[e].from),
                 target = endOf(graph.edges[e], layout, graph.edges[e].to);
    if (!onBorder(source, start)) return name + u" does not start at its box"_s;
    if (!onBorder(target, end)) return name + u" does not end at its box"_s;
    // A line for a straight path; the ends of a stub.
    const QRectF way = shape.stub ? QRectF(start, end).normalized() : shape.path.boundingRect();
    if (!layout.bounds.contains(way.topLeft()) || !layout.bounds.contains(way.bottomRight()))
        return name + u" leaves the picture"_s;
    return {};
}

/// Flow of a ladder goes down on the left and up on the right. Stubs may lead to another column of a folded picture.
inline QString directionProblem(const DrawnGraph& graph, const GraphLayout& layout) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const DrawnEdge& edge = graph.edges[e];
        if (layout.edges[e].stub) continue;
        const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
        const double dx = layout.boxes[to].center().x() - layout.boxes[from].center().x(),
                     dy = layout.boxes[to].center().y() - layout.boxes[from].center().y();
        const bool up = graph.isLadder() && graph.nodes[from].stage == Stage::backward;
        const bool good = edge.kind == DrawnEdge::Kind::rung ? dx > 0 : up ? dy < 0 : dy > 0;
        if (!good) return graph.nodes[from].name + u" -> "_s + graph.nodes[to].name + u" goes the wrong way"_s;
    }
    return {};
}

/// Labels of stubs cover no box and no other label, and their text fits.
inline QString labelProblem(const GraphLayout& layout) {
    const QFontMetricsF metrics(lineFont());
    std::vector<const StubLabel*> labels;
    for (const EdgeShape& shape : layout.edges)
        for (const StubLabel* label : {&shape.startLabel, &shape.endLabel})
            if (shape.stub && !label->text.isEmpty()) labels.push_back(label);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const QRectF& place = labels[i]->place;
        if (place.width() + 1 < metrics.horizontalAdvance(labels[i]->text)) return labels[i]->text + u" is too long";
        if (!layout.bounds.contains(place)) return labels[i]->text + u" leaves the picture";
        for (const QRectF& box : layout.boxes)
            if (box.intersects(place)) return labels[i]->text + u" lies on a box";
        for (std::size_t k = 0; k < i; ++k)
            if (labels[k]->place.intersects(place)) return labels[i]->text + u" lies on " + labels[k]->text;
    }
    return {};
}

/// The first rule that a finished layout breaks; empty: none.
inline QString layoutProblem(const DrawnGraph& graph, const GraphLayout& layout) {
    if (layout.boxes.size() != graph.nodes.size() || layout.edges.size() != graph.edges.size())
        return u"boxes or edges are missing"_s;
    for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
        const bool isTitle = graph.nodes[i].frame >= 0;  // of an open operator: as wide as its frame
        if (!isTitle && layout.boxes[i].size() != graph.nodes[i].size) return graph.nodes[i].name + u": other size"_s;
        if (!layout.bounds.contains(layout.boxes[i])) return graph.nodes[i].name + u" is outside"_s;
    }
    if (QString problem = overlapProblem(graph, layout); !problem.isEmpty()) return problem;
    for (std::size_t e = 0; e < layout.edges.size(); ++e)
        if (QString problem = edgeProblem(graph, layout, e); !problem.isEmpty()) return problem;
    if (QString problem = labelProblem(layout); !problem.isEmpty()) return problem;
    return directionProblem(graph, layout);
}

}  // namespace aotscope::test
