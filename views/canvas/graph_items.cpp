#include "canvas/graph_items.h"

#include <QFontMetricsF>
#include <QStyleOptionGraphicsItem>

namespace aotscope {

namespace {

using Index = std::size_t;

PaintOptions atScale(const PaintOptions& options, const QStyleOptionGraphicsItem* option, const QPainter* painter) {
    PaintOptions scaled = options;
    scaled.scale = option->levelOfDetailFromTransform(painter->worldTransform());
    return scaled;
}

QRectF stubRect(const DrawnEdge& edge, const EdgeShape& shape, bool start) {
    const StubEnd end = stubEnd(edge, shape, start);
    const QFontMetricsF metrics(lineFont());
    const QSizeF size(metrics.horizontalAdvance(start ? shape.startLabel : shape.endLabel) + 6, metrics.height());
    const QPointF corner = end.tip - QPointF(end.textAtRight ? 0 : size.width(), size.height() / 2);
    return QRectF(corner, size) | end.path.boundingRect();
}

}  // namespace

NodeItem::NodeItem(const CanvasState& state, int index) : state_(state), index_(index) {
    refreshTip();
    setCursor(Qt::PointingHandCursor);
    setZValue(1);
}

void NodeItem::refreshTip() {
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(index_)];
    QString tip = node.name;
    for (const QString& line : node.lines) tip += QStringLiteral("\n") + line;
    if (!node.origin.isEmpty()) tip += QStringLiteral("\n") + node.origin;
    for (const QString& line : fateLines(node)) tip += QStringLiteral("\n") + line;
    for (const auto& [tag, members] : state_.graph->memoryGroups)
        if (tag == node.memory) tip += QStringLiteral("\nshares memory %1: %2").arg(tag, members);
    setToolTip(tip);
}

QRectF NodeItem::boundingRect() const {
    return state_.layout->boxes[static_cast<Index>(index_)].adjusted(-30, -12, 30, 8);  // with its tags
}

QPainterPath NodeItem::shape() const {
    QPainterPath area;
    area.addRect(state_.layout->boxes[static_cast<Index>(index_)]);
    return area;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* /*widget*/) {
    const QRectF& box = state_.layout->boxes[static_cast<Index>(index_)];
    if (index_ == state_.selected || state_.alsoSelected.contains(index_)) {  // below the box, whose tag stays readable
        QPen pen(state_.options.theme.selection, 2.5);
        pen.setCosmetic(true);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), 6, 6);
    }
    paintNode(*painter, state_.graph->nodes[static_cast<Index>(index_)], box, atScale(state_.options, option, painter));
}

EdgeItem::EdgeItem(const CanvasState& state, int index) : state_(state), index_(index) {
    if (drawn().stub) {
        bounds_ = stubRect(edge(), drawn(), true) | stubRect(edge(), drawn(), false);
        setToolTip(
            QStringLiteral("%1 to %2: click to jump to the other end").arg(drawn().endLabel, drawn().startLabel));
        setCursor(Qt::PointingHandCursor);
    } else {
        bounds_ = drawn().path.boundingRect().adjusted(-8, -8, 8, 8);
        if (!edge().tip.isEmpty()) setToolTip(edge().tip);
    }
}

const DrawnEdge& EdgeItem::edge() const { return state_.graph->edges[static_cast<Index>(index_)]; }
const EdgeShape& EdgeItem::drawn() const { return state_.layout->edges[static_cast<Index>(index_)]; }

QPainterPath EdgeItem::shape() const {
    QPainterPath area;
    if (!drawn().stub && edge().tip.isEmpty()) return area;
    if (!drawn().stub) {
        QPainterPathStroker wide;
        wide.setWidth(8);
        return wide.createStroke(drawn().path);
    }
    area.addRect(stubRect(edge(), drawn(), true));
    area.addRect(stubRect(edge(), drawn(), false));
    return area;
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* /*widget*/) {
    const bool touched = edge().from == state_.selected || edge().to == state_.selected;
    paintEdge(*painter, edge(), drawn(), atScale(state_.options, option, painter), touched);
}

}  // namespace aotscope
