#include "canvas/layout/compose_groups.h"

#include "canvas/layout/edge_routes.h"
#include "canvas/layout/ladder.h"
#include "canvas/layout/stub_labels.h"

#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kFramePadding = 14;
constexpr double kLongestFlow = 1800;  ///< longer edges become stubs

/// The control points of a path of curves.
std::vector<QPointF> pointsOf(const QPainterPath& path, QPointF offset) {
    std::vector<QPointF> points;
    for (int i = 0; i < path.elementCount(); ++i) points.push_back(QPointF(path.elementAt(i)) + offset);
    return points;
}

QPainterPath pathOf(const std::vector<QPointF>& points) {
    QPainterPath path(points.front());
    for (Index i = 1; i + 2 < points.size(); i += 3) path.cubicTo(points[i], points[i + 1], points[i + 2]);
    return path;
}

class Composer {
public:
    Composer(const DrawnGraph& graph, const GroupLevels& levels, const std::vector<LevelPicture>& pictures)
        : graph_(graph), levels_(levels), pictures_(pictures), origins_(pictures.size()) {
        layout_.boxes.resize(graph.nodes.size());
        layout_.edges.resize(graph.edges.size());
    }

    GraphLayout run() {
        layout_.gutters = pictures_[0].gutters();
        if (layout_.gutters.empty()) origins_[0][1] = {pictures_[0].frameSize(0).width() + kGutter, 0};
        for (const auto& depth : levels_.byDepth)
            for (const int group : depth) place(group);
        findExtents();
        const EdgeRoutes routes(graph_, layout_);
        for (Index e = 0; e < graph_.edges.size(); ++e) route(e, routes);
        setBounds(layout_);
        labelStubs(graph_, layout_);
        return std::move(layout_);
    }

private:
    /// From places in a level to places in the picture.
    QPointF offset(int group, int half) const {
        return origins_[static_cast<Index>(group)][static_cast<Index>(half)] +
               QPointF(pictures_[static_cast<Index>(group)].shift(half), 0);
    }

    void place(int group) {
        const GroupLevel& level = levels_.levels[static_cast<Index>(group)];
        const GraphLayout& own = pictures_[static_cast<Index>(group)].layout();
        for (Index i = 0; i < level.items.size(); ++i) {
            const auto& item = level.items[i];
            const QRectF rect = own.boxes[i].translated(offset(group, item.backward ? 1 : 0));
            if (item.box >= 0) layout_.boxes[static_cast<Index>(item.box)] = item.group < 0 ? rect : titleOf(rect);
            if (item.group < 0) continue;
            origins_[static_cast<Index>(item.group)][item.backward ? 1 : 0] = rect.topLeft();
            layout_.frames.push_back({item.group, rect, item.backward, item.box});
        }
    }

    static QRectF titleOf(const QRectF& frame) { return {frame.topLeft(), QSizeF(frame.width(), kFrameTitle)}; }

    /// Flow enters and leaves the frame of an open operator.
    void findExtents() {
        extents_ = layout_.boxes;
        for (const GroupFrame& frame : layout_.frames)
            if (frame.box >= 0) extents_[static_cast<Index>(frame.box)] = frame.rect;
    }

    void route(Index e, const EdgeRoutes& routes) {
        const DrawnEdge& edge = graph_.edges[e];
        EdgeShape& shape = layout_.edges[e];
        if (edge.kind == DrawnEdge::Kind::rung) shape.path = routes.rung(edge);
        else if (!isLong(edge)) shape.path = joined(levels_.ways[e], edge);
        if (shape.path.isEmpty() || (edge.kind == DrawnEdge::Kind::flow && routes.blocked(edge, shape.path))) {
            shape.path = {};
            const auto& ends = edge.kind == DrawnEdge::Kind::rung ? layout_.boxes : extents_;
            makeStub(graph_, edge, ends[static_cast<Index>(edge.from)], ends[static_cast<Index>(edge.to)], shape);
        }
    }

    /// The last step to an output is never cut.
    bool isLong(const DrawnEdge& edge) const {
        const QRectF &from = extents_[static_cast<Index>(edge.from)], &to = extents_[static_cast<Index>(edge.to)];
        const double gap = std::max(to.top() - from.bottom(), from.top() - to.bottom());
        return gap > kLongestFlow && graph_.nodes[static_cast<Index>(edge.to)].kind != DrawnNode::Kind::output;
    }

    /// The parts of an edge in order; empty if one of them is too long to be drawn.
    QPainterPath joined(const EdgeWay& way, const DrawnEdge& edge) const {
        const int half = graph_.isBackward(edge.from) ? 1 : 0;
        std::vector<QPointF> points;
        bool afterPort = false;
        for (const auto& part : way.parts) {
            const EdgeShape& own =
                pictures_[static_cast<Index>(part.level)].layout().edges[static_cast<Index>(part.edge)];
            if (own.stub) return {};
            std::vector<QPointF> next = pointsOf(own.path, offset(part.level, half));
            if (next.size() < 4) return {};
            if (points.empty()) {
                points = std::move(next);
            } else {
                // The port determines where an edge crosses the border of a group.
                if (afterPort) {
                    const QPointF gap = points.back() - next.front();
                    next[0] += gap;
                    next[1] += gap;
                } else {
                    const QPointF gap = next.front() - points.back();
                    points[points.size() - 2] += gap;
                    points.back() += gap;
                }
                points.insert(points.end(), next.begin() + 1, next.end());
            }
            afterPort = part.outward;
        }
        return points.empty() ? QPainterPath() : pathOf(points);
    }

    const DrawnGraph& graph_;
    const GroupLevels& levels_;
    const std::vector<LevelPicture>& pictures_;
    std::vector<std::array<QPointF, 2>> origins_;  ///< upper left corner of every half of a group
    GraphLayout layout_;
    std::vector<QRectF> extents_;  ///< of boxes; of open operators, of their frames
};

}  // namespace

LevelPicture::LevelPicture(const GroupLevel& level, GraphLayout laidOut) : layout_(std::move(laidOut)) {
    std::array<QRectF, 2> extent;
    double bottom = 0;
    for (Index i = 0; i < level.items.size(); ++i) {
        extent[level.items[i].backward ? 1 : 0] |= layout_.boxes[i];
        if (!level.items[i].port) bottom = std::max(bottom, layout_.boxes[i].bottom());
    }
    for (Index e = 0; e < layout_.edges.size(); ++e)
        if (level.graph.edges[e].kind == DrawnEdge::Kind::flow) {
            const int from = level.graph.edges[e].from;
            extent[level.items[static_cast<Index>(from)].backward ? 1 : 0] |= layout_.edges[e].path.boundingRect();
        }
    height_ = bottom + kRowGap + (level.group == 0 ? 0 : 1);
    if (!layout_.gutters.empty()) extent[0] = extent[1] = extent[0] | extent[1];
    const double padding = level.group == 0 ? 0 : kFramePadding;
    for (const int half : {0, 1}) {
        const QRectF& used = extent[static_cast<Index>(half)];
        const double width = used.width() + 2 * padding, wider = std::max(0.0, level.titleWidth - width);
        halves_[static_cast<Index>(half)] = {used.left() - padding - wider / 2, width + wider};
    }
}

std::vector<double> LevelPicture::gutters() const {
    std::vector<double> moved = layout_.gutters;
    for (double& gutter : moved) gutter += shift(0);
    return moved;
}

GraphLayout composeGroups(const DrawnGraph& graph, const GroupLevels& levels,
                          const std::vector<LevelPicture>& pictures) {
    return Composer(graph, levels, pictures).run();
}

}  // namespace aotscope
