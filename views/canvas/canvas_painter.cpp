#include "canvas/canvas_painter.h"

#include "canvas/layout/edge_routes.h"

#include <QFontMetricsF>
#include <algorithm>
#include <functional>

namespace aotscope {

namespace {

using Index = std::size_t;

/// Below these scales labels, curves with arrows, and single edges are invisible.
constexpr double kLabels = 0.3, kCurves = 0.55, kEdges = 0.06;
constexpr QSizeF kSmallestTitled(40, 28);  ///< on the screen, of a frame that shows its name from afar
constexpr double kTagReach = 40;           ///< how far the parts of a box extend beyond it
constexpr double kMarkReach = 8;           ///< on the screen, of the marks around a box

QRectF stubRect(const DrawnEdge& edge, const EdgeShape& shape, bool start) {
    constexpr double near = 5;
    return stubEnd(edge, shape, start).path.boundingRect().adjusted(-near, -near, near, near) |
           shape.label(start).place;
}

/// Whether an end of a stub is there.
bool isAt(const DrawnEdge& edge, const EdgeShape& shape, const QRectF& area) {
    return stubRect(edge, shape, true).intersects(area) || stubRect(edge, shape, false).intersects(area);
}

std::shared_ptr<const PlaceIndex> nothing() { return std::make_shared<const PlaceIndex>(GraphLayout()); }

QRectF titleRect(const GroupFrame& frame) { return {frame.rect.topLeft(), QSizeF(frame.rect.width(), kFrameTitle)}; }

}  // namespace

CanvasPainter::CanvasPainter() : index_(nothing()), titles_(titleFont()), texts_(lineFont()) {}

void CanvasPainter::setPicture(const std::shared_ptr<const DrawnGraph>& graph,
                               const std::shared_ptr<const GraphLayout>& layout) {
    graph_ = layout ? graph : nullptr;
    forgetColours();
    if (layout_ == layout) return;
    layout_ = layout;
    lines_.clear();
    index_ = !layout ? nothing() : layout->index ? layout->index : std::make_shared<const PlaceIndex>(*layout);
    if (layout) lines_.resize(layout->edges.size());
}

const QPolygonF& CanvasPainter::lineOf(int edge) {
    QPolygonF& line = lines_[static_cast<Index>(edge)];
    if (line.isEmpty()) {
        const auto points = flattened(layout_->edges[static_cast<Index>(edge)].path);
        line = QPolygonF(QList<QPointF>(points.begin(), points.end()));
    }
    return line;
}

void CanvasPainter::paint(QPainter& painter, const QRectF& area, const QRectF& view, const CanvasState& state,
                          double scale, bool rough) {
    if (!layout_) return;
    painter.setRenderHint(QPainter::Antialiasing, scale >= kCurves && !rough);
    paintFrames(painter, area, state, scale);
    paintEdges(painter, area, state, scale, rough);
    paintBoxes(painter, area, state, scale);
    if (scale < kLabels) paintFarTitles(painter, view, state, scale);
}

/// From afar, names of modules give orientation: at full size, inner ones first, without overlap.
void CanvasPainter::paintFarTitles(QPainter& painter, const QRectF& view, const CanvasState& state,
                                   double scale) const {
    std::vector<int> seen;
    index_->frames.visit(view, [&](int i) {
        seen.push_back(i);
        return true;
    });
    std::sort(seen.begin(), seen.end(), std::greater<>());
    const QTransform toScreen = painter.worldTransform();
    const QFontMetricsF metrics(lineFont());
    std::vector<QRectF> written;
    painter.save();
    painter.resetTransform();
    painter.setFont(lineFont());
    for (const int i : seen) {
        const GroupFrame& frame = layout_->frames[static_cast<Index>(i)];
        const double width = frame.rect.width() * scale, height = frame.rect.height() * scale;
        if (width < kSmallestTitled.width() || height < kSmallestTitled.height()) continue;
        const QString title = metrics.elidedText(frameTitle(*graph_->groups, frame), Qt::ElideRight, width - 4);
        const QRectF place(toScreen.map(frame.rect.topLeft()) + QPointF(3, 1),
                           QSizeF(metrics.horizontalAdvance(title), metrics.height()));
        const auto covers = [&](const QRectF& other) { return other.intersects(place); };
        if (std::any_of(written.begin(), written.end(), covers)) continue;
        written.push_back(place);
        QColor veil = state.options.theme.background;
        veil.setAlpha(190);
        painter.fillRect(place, veil);
        painter.setPen(state.options.theme.text);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, title);
    }
    painter.restore();
}

void CanvasPainter::paintFrames(QPainter& painter, const QRectF& area, const CanvasState& state, double scale) {
    PaintOptions options = state.options;
    options.scale = scale;
    options.titles = &titles_;
    options.texts = &texts_;
    index_->frames.visit(area, [&](int i) {
        paintFrame(painter, *graph_->groups, layout_->frames[static_cast<Index>(i)], options);
        return true;
    });
}

void CanvasPainter::paintEdges(QPainter& painter, const QRectF& area, const CanvasState& state, double scale,
                               bool rough) {
    PaintOptions options = state.options;
    options.scale = scale;
    options.titles = &titles_;
    options.texts = &texts_;
    std::vector<int> touched, labelled;
    index_->edges.visit(area, [&](int i) {
        const DrawnEdge& edge = graph_->edges[static_cast<Index>(i)];
        if (edge.from == state.selected || edge.to == state.selected) {
            touched.push_back(i);
            return true;
        }
        const EdgeShape& shape = layout_->edges[static_cast<Index>(i)];
        // The ends of a stub may be far apart, with many other things between them.
        if (shape.stub && (scale < kLabels || !isAt(edge, shape, area))) return true;
        if (shape.stub || (edge.count > 1 && scale >= kCurves && !rough)) labelled.push_back(i);
        if ((scale >= kCurves && !rough) || shape.stub) {
            paintEdge(painter, edge, shape, options, false);
        } else if (scale >= kEdges) {
            QPen pen(edgeColour(edge, options.theme), 0);
            painter.setPen(pen);
            painter.drawPolyline(lineOf(i));
        }
        return true;
    });
    for (const int i : touched)
        paintEdge(painter, graph_->edges[static_cast<Index>(i)], layout_->edges[static_cast<Index>(i)], options, true);
    for (const auto& [edges, highlighted] : {std::pair(&labelled, false), std::pair(&touched, true)})
        for (const int i : *edges)
            paintEdgeLabels(painter, graph_->edges[static_cast<Index>(i)], layout_->edges[static_cast<Index>(i)],
                            options, highlighted);
}

/// Frames around a selected or found box, the second outside the first.
void CanvasPainter::paintMarks(QPainter& painter, int box, const QRectF& place, const CanvasState& state,
                               double scale) {
    const bool selected = box == state.selected || state.alsoSelected.contains(box), hit = state.hits.contains(box);
    const double step = std::max(2.5, 2.5 / scale);
    double reach = 0;
    const auto frame = [&](const QColor& colour) {
        reach += step;
        QPen pen(colour, 2.5);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(place.adjusted(-reach, -reach, reach, reach), 6, 6);
    };
    if (selected) frame(state.options.theme.selection);
    if (hit) frame(state.options.theme.hit);
}

void CanvasPainter::paintBoxes(QPainter& painter, const QRectF& area, const CanvasState& state, double scale) {
    PaintOptions options = state.options;
    options.scale = scale;
    options.titles = &titles_;
    options.texts = &texts_;
    if (scale < kLabels) findColours(state);
    const double reach = std::max(kTagReach, kMarkReach / scale);
    index_->boxes.visit(area.adjusted(-reach, -reach, reach, reach), [&](int i) {
        const QRectF& box = index_->boxes[static_cast<Index>(i)];
        const DrawnNode& node = graph_->nodes[static_cast<Index>(i)];
        paintMarks(painter, i, box, state, scale);  // below the box, whose tag stays readable
        if (i == state.current) paintCurrent(painter, box, options.theme.current, scale);
        if (scale >= kLabels) {
            paintNode(painter, node, box, options);
            return true;
        }
        // At least a pixel of every box, in the colour that is clearest from a distance.
        const auto& [fill, border] = colours_[static_cast<Index>(i)];
        const double least = 1 / scale;
        const QRectF seen(box.topLeft(), box.size().expandedTo({least, least}));
        painter.fillRect(seen, scale < kEdges ? border : fill);
        if (scale >= kEdges) {
            painter.setPen(QPen(node.placement.change.isEmpty() ? border : options.theme.change, 0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
        }
        return true;
    });
}

/// A frame and, on the left, an arrow that points at the box: of the same size on the screen at any distance.
void CanvasPainter::paintCurrent(QPainter& painter, const QRectF& box, const QColor& colour, double scale) {
    constexpr double arrow = 12;
    const double unit = std::max(1.0, 1 / scale), reach = 6 * unit;
    QPen frame(colour, 3);
    frame.setCosmetic(true);
    painter.setPen(frame);
    painter.setBrush(Qt::NoBrush);
    const QRectF around = box.adjusted(-reach, -reach, reach, reach);
    painter.drawRoundedRect(around, 8, 8);
    const QPointF tip(around.left() - 2 * unit, around.center().y());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{tip, tip + QPointF(-arrow * unit, -arrow * unit / 1.6),
                                  tip + QPointF(-arrow * unit, arrow * unit / 1.6)});
}

void CanvasPainter::findColours(const CanvasState& state) {
    if (colours_.size() == graph_->nodes.size()) return;
    colours_.clear();
    for (const auto& node : graph_->nodes) {
        const NodeColours colours = state.options.theme.colours(node, state.options.colourBy);
        colours_.emplace_back(colours.fill, colours.border);
    }
}

int CanvasPainter::boxAt(QPointF place) const {
    int found = -1;
    index_->boxes.visit({place, place}, [&](int i) {
        found = i;
        return false;
    });
    return found;
}

bool CanvasPainter::hasBoxIn(const QRectF& area) const {
    bool found = false;
    index_->boxes.visit(area, [&](int) {
        found = true;
        return false;
    });
    return found;
}

int CanvasPainter::edgeAt(QPointF place) const {
    int found = -1;
    index_->edges.visit({place, place}, [&](int i) {
        const DrawnEdge& edge = graph_->edges[static_cast<Index>(i)];
        const EdgeShape& shape = layout_->edges[static_cast<Index>(i)];
        bool hit = false;
        if (shape.stub) {
            hit = stubRect(edge, shape, true).contains(place) || stubRect(edge, shape, false).contains(place);
        } else if (!edge.tip.isEmpty()) {
            QPainterPathStroker wide;
            wide.setWidth(8);
            hit = wide.createStroke(shape.path).contains(place);
        }
        if (hit) found = i;
        return !hit;
    });
    return found;
}

int CanvasPainter::frameTitleAt(QPointF place) const {
    int found = -1;
    index_->frames.visit({place, place}, [&](int i) {
        // Inner frames come after those around them.
        if (titleRect(layout_->frames[static_cast<Index>(i)]).contains(place)) found = std::max(found, i);
        return true;
    });
    return found;
}

}  // namespace aotscope
