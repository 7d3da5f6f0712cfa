#include "canvas/layout/ladder.h"

#include "canvas/layout/dot_text.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kScale = 72, kBoxGap = 20, kPictureMargin = 24;

/// y of the middle of every row: rows are as high as their highest box in either column.
std::vector<double> rowCentres(const DrawnGraph& graph, const std::vector<int>& rows) {
    const int count = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end()) + 1;
    std::vector<double> heights(static_cast<Index>(count), 0), centres;
    for (Index i = 0; i < graph.nodes.size(); ++i) {
        double& height = heights[static_cast<Index>(rows[i])];
        height = std::max(height, graph.nodes[i].size.height());
    }
    double top = 0;
    for (double height : heights) {
        centres.push_back(top + height / 2);
        top += height + kRowGap;
    }
    return centres;
}

/// Maps y of Graphviz's picture to ours, piecewise linear between the rows that both have.
class VerticalMap {
public:
    VerticalMap(const PlainLayout& plain, const std::vector<double>& centres) {
        for (const auto& [name, point] : plain.nodes.asKeyValueRange())
            if (name.startsWith('r'))
                knots_.emplace_back((plain.height - point.y()) * kScale,
                                    centres[static_cast<Index>(name.mid(1).toInt())]);
        std::sort(knots_.begin(), knots_.end());
    }
    double operator()(double y) const {
        if (knots_.size() < 2) return knots_.empty() ? y : knots_[0].second + y - knots_[0].first;
        auto upper = std::lower_bound(knots_.begin(), knots_.end(), std::make_pair(y, 0.0));
        upper = std::clamp(upper, knots_.begin() + 1, knots_.end() - 1);
        const auto& [y0, t0] = *(upper - 1);
        const auto& [y1, t1] = *upper;
        return t0 + (t1 - t0) * (y - y0) / std::max(y1 - y0, 1e-6);
    }

private:
    std::vector<std::pair<double, double>> knots_;
};

struct ColumnFrame {
    double left = 0, right = 0;
};

/// Extent of a column's boxes in Graphviz's picture; the row markers are outside and do not count.
ColumnFrame frameOf(const DrawnGraph& graph, const LayoutPlan::Column& column, const PlainLayout& plain) {
    ColumnFrame frame{1e9, -1e9};
    for (int node : column.nodes) {
        const double x = plain.centreOf(nodeName(node)).x() * kScale,
                     half = graph.nodes[static_cast<Index>(node)].size.width() / 2;
        frame.left = std::min(frame.left, x - half);
        frame.right = std::max(frame.right, x + half);
    }
    return column.nodes.empty() ? ColumnFrame{} : frame;
}

QPointF bottomOf(const QRectF& box) { return {box.center().x(), box.bottom()}; }
QPointF topOf(const QRectF& box) { return {box.center().x(), box.top()}; }

/// From Graphviz's control points, with ends extended to the borders of the boxes.
QPainterPath mappedPath(std::vector<QPointF> points, bool upward, const QRectF& from, const QRectF& to) {
    if (points.size() < 4) return {};
    if (upward) std::reverse(points.begin(), points.end());
    points.front().setY(upward ? from.top() : from.bottom());
    points.back().setY(upward ? to.bottom() : to.top());
    QPainterPath path(points.front());
    for (Index i = 1; i + 2 < points.size(); i += 3) path.cubicTo(points[i], points[i + 1], points[i + 2]);
    return path;
}

QPainterPath straightFlow(const QRectF& from, const QRectF& to) {
    const bool down = to.center().y() >= from.center().y();
    const QPointF a = down ? bottomOf(from) : topOf(from), b = down ? topOf(to) : bottomOf(to);
    const double bend = (b.y() - a.y()) / 2;
    QPainterPath path(a);
    path.cubicTo(a + QPointF(0, bend), b - QPointF(0, bend), b);
    return path;
}

GraphLayout emptyLayout(const DrawnGraph& graph) {
    GraphLayout layout;
    layout.boxes.resize(graph.nodes.size());
    layout.edges.resize(graph.edges.size());
    return layout;
}

/// Beside the boxes at the same height, away from the rungs.
void placeAside(const DrawnGraph& graph, const LayoutPlan::Column& column, GraphLayout& layout) {
    std::vector<QRectF> placed;
    for (int node : column.nodes) placed.push_back(layout.boxes[static_cast<Index>(node)]);
    for (const auto& [node, neighbour] : column.aside) {
        QRectF box(QPointF(), graph.nodes[static_cast<Index>(node)].size);
        box.moveCenter(layout.boxes[static_cast<Index>(neighbour)].center());
        for (const QRectF& other : placed) {
            if (other.top() > box.bottom() || other.bottom() < box.top()) continue;
            if (column.upward) box.moveLeft(std::max(box.left(), other.right() + kBoxGap));
            else box.moveRight(std::min(box.right(), other.left() - kBoxGap));
        }
        placed.push_back(box);
        layout.boxes[static_cast<Index>(node)] = box;
    }
}

/// Graphviz reorders edges: they are matched by their ends, equal ones in turn.
void takePaths(const DrawnGraph& graph, const LayoutPlan::Column& column, const PlainLayout& plain,
               const VerticalMap& vertical, double shift, GraphLayout& layout) {
    std::multimap<std::pair<QByteArray, QByteArray>, const PlainLayout::Edge*> answered;
    for (const auto& edge : plain.edges) answered.emplace(std::make_pair(edge.tail, edge.head), &edge);
    for (int e : column.edges) {
        const DrawnEdge& edge = graph.edges[static_cast<Index>(e)];
        const int tail = column.upward ? edge.to : edge.from, head = column.upward ? edge.from : edge.to;
        const auto it = answered.find({nodeName(tail), nodeName(head)});
        if (it == answered.end()) continue;
        std::vector<QPointF> points;
        for (QPointF p : it->second->points)
            points.emplace_back(p.x() * kScale + shift, vertical((plain.height - p.y()) * kScale));
        layout.edges[static_cast<Index>(e)].path =
            mappedPath(std::move(points), column.upward, layout.boxes[static_cast<Index>(edge.from)],
                       layout.boxes[static_cast<Index>(edge.to)]);
        answered.erase(it);
    }
}

}  // namespace

QPainterPath rungPath(const QRectF& from, const QRectF& to) {
    const bool rightwards = to.center().x() >= from.center().x();
    const QPointF a(rightwards ? from.right() : from.left(), from.center().y()),
        b(rightwards ? to.left() : to.right(), to.center().y());
    const double bend = (b.x() - a.x()) / 2;
    QPainterPath path(a);
    path.cubicTo(a + QPointF(bend, 0), b - QPointF(bend, 0), b);
    return path;
}

void makeStub(const DrawnGraph& graph, const DrawnEdge& edge, const QRectF& from, const QRectF& to, EdgeShape& shape) {
    shape.stub = true;
    if (edge.kind == DrawnEdge::Kind::rung) {
        shape.start = {from.right(), from.center().y()};
        shape.end = {to.left(), to.center().y()};
    } else {
        // In a folded picture, what is below may be in a column further right, and higher.
        shape.upward = graph.isBackward(edge.from);
        shape.start = {from.right() - 6, shape.upward ? from.top() : from.bottom()};
        shape.end = {to.left() + 6, shape.upward ? to.bottom() : to.top()};
    }
    shape.startLabel = {graph.nodes[static_cast<Index>(edge.to)].shownName(), {}};
    shape.endLabel = {graph.nodes[static_cast<Index>(edge.from)].shownName(), {}};
}

GraphLayout composeColumns(const DrawnGraph& graph, const LayoutPlan& plan, const std::vector<PlainLayout>& columns) {
    const auto centres = rowCentres(graph, plan.rows);
    GraphLayout layout = emptyLayout(graph);
    double left = 0;
    for (Index c = 0; c < columns.size(); ++c) {
        const auto& column = plan.columns[c];
        const PlainLayout& plain = columns[c];
        const ColumnFrame frame = frameOf(graph, column, plain);
        const double shift = left - frame.left;
        for (int node : column.nodes) {
            const auto i = static_cast<Index>(node);
            const QPointF centre = plain.centreOf(nodeName(node));
            const double y =
                graph.isLadder() ? centres[static_cast<Index>(plan.rows[i])] : (plain.height - centre.y()) * kScale;
            layout.boxes[i].setSize(graph.nodes[i].size);
            layout.boxes[i].moveCenter({centre.x() * kScale + shift, y});
        }
        takePaths(graph, column, plain, VerticalMap(plain, centres), shift, layout);
        placeAside(graph, column, layout);
        left += frame.right - frame.left + kGutter;
    }
    return layout;
}

void finishEdges(const DrawnGraph& graph, const LayoutPlan& plan, GraphLayout& layout) {
    for (Index e = 0; e < graph.edges.size(); ++e) {
        const DrawnEdge& edge = graph.edges[e];
        EdgeShape& shape = layout.edges[e];
        const QRectF &from = layout.boxes[static_cast<Index>(edge.from)],
                     &to = layout.boxes[static_cast<Index>(edge.to)];
        if (plan.stubs[e]) makeStub(graph, edge, from, to, shape);
        else if (edge.kind == DrawnEdge::Kind::rung) shape.path = rungPath(from, to);
        else if (shape.path.isEmpty()) shape.path = straightFlow(from, to);
    }
    setBounds(layout);
}

void setBounds(GraphLayout& layout) {
    layout.bounds = {};
    for (const QRectF& box : layout.boxes) layout.bounds |= box;
    for (const auto& frame : layout.frames) layout.bounds |= frame.rect;
    for (const auto& shape : layout.edges) layout.bounds |= shape.path.controlPointRect();
    layout.bounds.adjust(-kPictureMargin, -kPictureMargin, kPictureMargin, kPictureMargin);
}

}  // namespace aotscope
