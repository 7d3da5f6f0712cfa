#include "canvas/paint.h"

#include "canvas/text_cache.h"

#include <QFontMetrics>
#include <QFontMetricsF>
#include <QtMath>

namespace aotscope {

namespace {

constexpr qreal kPadding = 8, kRadius = 5, kArrow = 6;
constexpr double kTextFrom = 0.3, kLinesFrom = 0.42;  ///< below these scales titles and lines are unreadable
constexpr qreal kStubLength = 14;
constexpr double kLargestRounded = 600;  ///< pixels on the screen, of a frame with round corners
constexpr double kDashesFrom = 0.8;
constexpr int kSwatchWidth = 14, kSwatchGap = 6;
constexpr int kLabelVeil = 210;  ///< between a label and the edges below it, of 255

/// A blend of `b` over `a`.
QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

/// A line of text, with cached glyphs if there is a cache.
void write(QPainter& painter, const QRectF& line, const QString& text, const QFont& font, TextCache* cache,
           Qt::Alignment side = Qt::AlignHCenter) {
    if (cache) return cache->draw(painter, line, text, side);
    painter.setFont(font);
    painter.drawText(line, side | Qt::AlignVCenter | Qt::TextDontClip, text);
}

void paintTag(QPainter& painter, const QString& tag, const QRectF& place, const Theme& theme, const QColor& colour) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2);
    painter.setFont(lineFont());
    painter.setPen(theme.background);
    painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, tag);
}

}  // namespace

qreal cornerRadius(const DrawnNode& node, const QRectF& box) {
    constexpr qreal largest = 18;  // text of several lines stays inside
    const bool square = node.kind == DrawnNode::Kind::call || node.kind == DrawnNode::Kind::group;
    return square ? kRadius : std::min(box.height() / 2, largest);
}

QRectF tagPlace(const DrawnNode& node, const QRectF& box, ColourBy by) {
    if (by != ColourBy::mutation || node.aliasing.tag.isEmpty()) return {};
    constexpr qreal height = 14;
    QRectF place(0, 0, std::max(height, QFontMetricsF(lineFont()).horizontalAdvance(node.aliasing.tag) + 7), height);
    place.moveCenter(box.topLeft() + QPointF(2, 1));
    return place;
}

QColor edgeColour(const DrawnEdge& edge, const Theme& theme) {
    if (edge.flow > 0) return theme.rung;
    return edge.kind == DrawnEdge::Kind::flow ? theme.flow : edge.recomputed ? theme.recomputedRung : theme.rung;
}

StubEnd stubEnd(const DrawnEdge& edge, const EdgeShape& shape, bool start) {
    QPointF outward(start ? 1.0 : -1.0, 0);
    if (edge.kind == DrawnEdge::Kind::flow) outward = {start ? 0.4 : -0.4, start == shape.upward ? -1.0 : 1.0};
    const QPointF at = start ? shape.start : shape.end, tip = at + outward * kStubLength;
    StubEnd end{QPainterPath(start ? at : tip), tip, outward.x() > 0};
    end.path.lineTo(start ? tip : at);
    return end;
}

QLineF cutLine(const DrawnNode& node, const QRectF& box) {
    if (node.cut.side != CutSide::cut) return {};
    constexpr qreal overhang = 12, below = 5;
    return {box.left() - overhang, box.bottom() + below, box.right() + overhang, box.bottom() + below};
}

double edgeWidth(const DrawnEdge& edge) {
    constexpr double thin = 0.8, widest = 5, ofBundle = 0.35;
    if (edge.count > 1) return std::min(widest, 1.2 + ofBundle * std::log2(edge.count));
    return edge.flow < 0 ? 1.2 : thin + (widest - thin) * std::sqrt(edge.flow);
}

QRectF changePlace(const DrawnNode& node, const QRectF& box) {
    if (node.placement.change.isEmpty()) return {};
    constexpr qreal height = 14;
    QRectF place(0, 0, QFontMetricsF(lineFont()).horizontalAdvance(node.placement.change) + 12, height);
    place.moveCenter({box.center().x(), box.top() - kChangeMargin});
    return place;
}

QPolygonF arrowHead(const QPainterPath& path) {
    const int last = path.elementCount() - 1;
    if (last < 1) return {};
    const QPointF tip = path.elementAt(last);
    QPointF before = path.elementAt(0);
    for (int i = last - 1; i > 0 && before == QPointF(path.elementAt(0)); --i)
        if (QLineF(tip, path.elementAt(i)).length() > 0.5) before = path.elementAt(i);
    const qreal angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    const auto corner = [&](qreal side) {
        return tip - QPointF(std::cos(angle + side), std::sin(angle + side)) * kArrow;
    };
    return QPolygonF({tip, corner(0.45), corner(-0.45)});
}

QString frameTitle(const GroupTree& tree, const GroupFrame& frame) {
    const int alike = tree[frame.group].alike;
    const QString title = titleOf(tree, frame.group);
    return alike > 1 ? title + QStringLiteral("  ×%1").arg(alike) : title;
}

QString titleInFrame(const DrawnNode& node, const QRectF& box) {
    return QFontMetricsF(titleFont()).elidedText(node.title, Qt::ElideMiddle, box.width() - 2 * kPadding);
}

QPointF frameTitlePlace(const GroupFrame& frame) { return frame.rect.topLeft() + QPointF(8, 12); }

void paintFrame(QPainter& painter, const GroupTree& tree, const GroupFrame& frame, const PaintOptions& options) {
    QColor line = options.theme.flow;
    line.setAlphaF(kFrameLine);
    painter.setPen(QPen(line, 1));
    // Opaque, in the colour of that many overlapping tints: large areas are slow to blend.
    const QColor fill = mixed(options.theme.background, options.theme.flow,
                              1 - std::pow(1 - static_cast<double>(kFrameTint), tree[frame.group].depth));
    if (options.isFar() || frame.rect.height() * options.scale > kLargestRounded) {
        painter.fillRect(frame.rect, fill);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(frame.rect);
    } else {
        painter.setBrush(fill);
        painter.drawRoundedRect(frame.rect, kFrameRadius, kFrameRadius);
    }
    if (options.scale < kTextFrom || frame.box >= 0) return;
    painter.setPen(options.theme.faintText);
    const QFontMetricsF metrics(lineFont());
    const double room = frame.rect.width() - 12;
    QString title = frameTitle(tree, frame);
    if (!options.texts || options.texts->width(title) > room) title = metrics.elidedText(title, Qt::ElideMiddle, room);
    const QRectF place(frameTitlePlace(frame) - QPointF(0, metrics.ascent()), QSizeF(room, metrics.height()));
    write(painter, place, title, lineFont(), options.texts, Qt::AlignLeft);
}

QPointF countPlace(const DrawnEdge& edge, const EdgeShape& shape) {
    if (edge.count < 2 || shape.stub || shape.path.isEmpty()) return {};
    return shape.path.pointAtPercent(0.5);
}

QString countText(const DrawnEdge& edge) { return QStringLiteral("×%1").arg(edge.count); }

void paintNode(QPainter& painter, const DrawnNode& node, const QRectF& box, const PaintOptions& options) {
    const NodeColours colours = options.theme.colours(node, options.colourBy);
    painter.setPen(
        QPen(colours.border, Theme::borderWidth(node, options.colourBy), node.ghost ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(colours.fill);
    const qreal radius = options.isFar() ? 0 : cornerRadius(node, box);
    painter.drawRoundedRect(box, radius, radius);
    if (node.group >= 0)
        painter.drawRoundedRect(box.adjusted(kGroupInset, kGroupInset, -kGroupInset, -kGroupInset), radius - 1,
                                radius - 1);
    if (!node.placement.change.isEmpty()) {
        painter.setPen(QPen(options.theme.change, 2.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-kChangeMargin, -kChangeMargin, kChangeMargin, kChangeMargin),
                                radius + kChangeMargin, radius + kChangeMargin);
    }
    if (const QLineF cut = cutLine(node, box); !cut.isNull()) {
        QPen pen(options.theme.selection, 2.5, Qt::DashLine, Qt::FlatCap);
        pen.setDashPattern({3, 2});
        painter.setPen(pen);
        painter.drawLine(cut);
    }
    if (options.scale < kTextFrom) return;

    QRectF line(box.left() + kPadding, box.top() + kPadding - 2, box.width() - 2 * kPadding, 0);
    const auto next = [&](const QString& text, const QFont& font, TextCache* cache, const QColor& colour) {
        line.setHeight(QFontMetricsF(font).height());
        painter.setPen(colour);
        write(painter, line, text, font, cache);
        line.translate(0, line.height());
    };
    static const QFont title = titleFont(), small = lineFont();
    if (node.frame >= 0) {
        line.setHeight(QFontMetricsF(title).height());
        line.moveCenter(box.center());
        painter.setPen(colours.text);
        write(painter, line, titleInFrame(node, box), title, options.titles);
    } else {
        next(node.title, title, options.titles, colours.text);
    }
    if (options.scale >= kLinesFrom && node.frame < 0)
        for (const QString& text : node.lines) next(text, small, options.texts, colours.lines);
    if (const QRectF tag = tagPlace(node, box, options.colourBy); !tag.isEmpty())
        paintTag(painter, node.aliasing.tag, tag, options.theme, options.theme.text);
    if (const QRectF tag = changePlace(node, box); !tag.isEmpty())
        paintTag(painter, node.placement.change, tag, options.theme, options.theme.change);
}

void paintEdge(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const PaintOptions& options,
               bool highlighted) {
    const bool rung = edge.kind == DrawnEdge::Kind::rung;
    const QColor colour = highlighted ? options.theme.selection : edgeColour(edge, options.theme);
    QPen pen(colour, highlighted ? std::max(2.2, edgeWidth(edge)) : edgeWidth(edge));
    if (rung && !shape.stub && (!options.onScreen() || options.scale >= kDashesFrom))
        pen.setStyle(edge.recomputed ? Qt::DotLine : Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (!shape.stub) {
        painter.drawPath(shape.path);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(arrowHead(shape.path));
        return;
    }
    if (options.scale < kTextFrom) return;
    for (const bool start : {true, false}) {
        const StubEnd end = stubEnd(edge, shape, start);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(end.path);
        painter.setBrush(colour);
        painter.drawPolygon(arrowHead(end.path));
    }
}

namespace {

/// The number of edges in a bundle, in its middle.
void paintCount(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const QColor& background,
                const QColor& colour) {
    const QPointF place = countPlace(edge, shape);
    if (place.isNull()) return;
    const QString text = countText(edge);
    QRectF area = QFontMetricsF(lineFont()).boundingRect(text).adjusted(-2, 0, 2, 0);
    area.moveCenter(place);
    painter.fillRect(area, background);
    painter.setPen(colour);
    painter.setFont(lineFont());
    painter.drawText(area, Qt::AlignCenter | Qt::TextDontClip, text);
}

}  // namespace

void paintEdgeLabels(QPainter& painter, const DrawnEdge& edge, const EdgeShape& shape, const PaintOptions& options,
                     bool highlighted) {
    if (options.scale < kTextFrom) return;
    const QColor colour = highlighted ? options.theme.selection : edgeColour(edge, options.theme);
    if (!shape.stub) return paintCount(painter, edge, shape, options.theme.background, colour);
    for (const bool start : {true, false}) {
        const StubLabel& label = shape.label(start);
        if (label.text.isEmpty()) continue;
        QColor veil = options.theme.background;
        veil.setAlpha(kLabelVeil);
        painter.fillRect(label.place, veil);
        painter.setPen(colour);
        const auto towardsArrow = stubEnd(edge, shape, start).textAtRight ? Qt::AlignLeft : Qt::AlignRight;
        write(painter, label.place, label.text, lineFont(), options.texts, towardsArrow);
    }
}

int legendEntryWidth(const Theme::LegendEntry& entry) {
    return kSwatchWidth + kSwatchGap + QFontMetrics(lineFont()).horizontalAdvance(entry.text) + 2;
}

void paintLegendEntry(QPainter& painter, const Theme::LegendEntry& entry, const QRectF& place, const Theme& theme) {
    QRectF swatch(0, 0, kSwatchWidth, 10);
    swatch.moveCenter({place.left() + kSwatchWidth / 2.0, place.center().y()});
    painter.setFont(lineFont());
    if (entry.tag.isEmpty()) {
        painter.setPen(QPen(entry.border, 1.4));
        painter.setBrush(entry.fill);
        painter.drawRoundedRect(swatch, 2, 2);
    } else {
        paintTag(painter, entry.tag, swatch.adjusted(0, -2, 0, 2), theme, theme.text);
    }
    painter.setPen(theme.text);
    painter.drawText(place.adjusted(kSwatchWidth + kSwatchGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
}

void paintLegend(QPainter& painter, const DrawnGraph& graph, QPointF topLeft, const PaintOptions& options) {
    for (const auto& entry : options.theme.legend(graph, options.colourBy)) {
        paintLegendEntry(painter, entry, QRectF(topLeft - QPointF(0, 3), QSizeF(legendEntryWidth(entry), 16)),
                         options.theme);
        topLeft.ry() += 16;
    }
}

void paintPicture(QPainter& painter, const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options) {
    painter.fillRect(layout.bounds, options.theme.background);
    for (const auto& frame : layout.frames) paintFrame(painter, *graph.groups, frame, options);
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        paintEdge(painter, graph.edges[i], layout.edges[i], options, false);
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        paintEdgeLabels(painter, graph.edges[i], layout.edges[i], options, false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) paintNode(painter, graph.nodes[i], layout.boxes[i], options);
}

}  // namespace aotscope
