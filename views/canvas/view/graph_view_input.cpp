#include "canvas/view/graph_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kZoomStep = 1.25;
constexpr int kClickDistance = 4;

QString tipOf(const DrawnGraph& graph, const DrawnNode& node) {
    QString tip =
        node.kind == DrawnNode::Kind::input ? QStringLiteral("%1 (%2)").arg(node.title, node.name) : node.name;
    for (const QString& line : node.lines) tip += u'\n' + line;
    for (const QString& value : node.attached) tip += u'\n' + value;
    if (!node.origin.text.isEmpty()) tip += u'\n' + node.origin.text;
    for (const QString& line : placementLines(node)) tip += u'\n' + line;
    for (const auto& [tag, members] : graph.memoryGroups)
        if (tag == node.aliasing.tag) tip += QStringLiteral("\nshares memory %1: %2").arg(tag, members);
    if (node.group >= 0) tip += QObject::tr("\ndouble-click to open");
    if (node.frame >= 0) tip += QObject::tr("\ndouble-click to close");
    return tip;
}

QString tipOf(const DrawnGraph& graph, const DrawnEdge& edge, bool stub) {
    if (!stub) return edge.tip;
    const auto name = [&](int node) { return graph.nodes[static_cast<Index>(node)].shownName(); };
    return QObject::tr("%1 to %2: click to jump to the other end").arg(name(edge.from), name(edge.to));
}

}  // namespace

void GraphView::wheelEvent(QWheelEvent* event) {
    // As in browsers: Ctrl zooms, Shift scrolls sideways, the wheel alone scrolls.
    if (event->modifiers() == Qt::ShiftModifier) {
        constexpr int notch = 120;
        QScrollBar* bar = horizontalScrollBar();
        bar->setValue(bar->value() -
                      event->angleDelta().y() * bar->singleStep() * QApplication::wheelScrollLines() / notch);
        return event->accept();
    }
    if (!(event->modifiers() & Qt::ControlModifier)) return QGraphicsView::wheelEvent(event);
    zoomBy(std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    pointedAt_ = event->pos();
    QGraphicsView::mousePressEvent(event);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    QGraphicsView::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || (event->pos() - pointedAt_).manhattanLength() > kClickDistance) return;
    const QPointF place = mapToScene(event->pos());
    const int node = painter_.boxAt(place);
    if (node >= 0 && (event->modifiers() & Qt::ControlModifier)) {
        const int box = valueOf(node);
        if (box >= 0 && state_.graph->nodes[static_cast<Index>(box)].id != kNoNode)
            Q_EMIT nodeToggled(state_.graph->nodes[static_cast<Index>(box)].id);
    } else if (node >= 0) choose(node, false);  // it is in view: another click has to hit the same box
    else if (const int edge = painter_.edgeAt(place); edge >= 0) followStub(edge, place);
    else choose(-1);
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    QGraphicsView::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton) return;
    const QPointF place = mapToScene(event->pos());
    const bool hit = painter_.boxAt(place) >= 0 || painter_.edgeAt(place) >= 0 || painter_.frameTitleAt(place) >= 0;
    viewport()->setCursor(hit ? Qt::PointingHandCursor : Qt::OpenHandCursor);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    pointedAt_ = event->pos();
    if (event->button() == Qt::LeftButton && toggleAt(mapToScene(event->pos()))) return;
    QGraphicsView::mouseDoubleClickEvent(event);
}

/// Opens the group or operator at this box, or closes the one at this title.
bool GraphView::toggleAt(QPointF place) {
    if (const int box = painter_.boxAt(place); box >= 0) {
        const int closed = state_.graph->nodes[static_cast<Index>(box)].group,
                  open = state_.graph->nodes[static_cast<Index>(box)].frame;
        if (closed >= 0) Q_EMIT groupToggled(closed, true);
        else if (open >= 0) Q_EMIT groupToggled(open, false);
        return closed >= 0 || open >= 0;
    }
    const int frame = painter_.frameTitleAt(place);
    if (frame >= 0) Q_EMIT groupToggled(state_.layout->frames[static_cast<Index>(frame)].group, false);
    return frame >= 0;
}

bool GraphView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !state_.layout) return QGraphicsView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF place = mapToScene(help->pos());
    QString tip;
    if (const int box = painter_.boxAt(place); box >= 0)
        tip = tipOf(*state_.graph, state_.graph->nodes[static_cast<Index>(box)]);
    else if (const int edge = painter_.edgeAt(place); edge >= 0)
        tip = tipOf(*state_.graph, state_.graph->edges[static_cast<Index>(edge)],
                    state_.layout->edges[static_cast<Index>(edge)].stub);
    else if (const int frame = painter_.frameTitleAt(place); frame >= 0)
        tip = tr("%1\ndouble-click to close")
                  .arg(state_.graph->groups->fullName(state_.layout->frames[static_cast<Index>(frame)].group));
    QToolTip::showText(help->globalPos(), tip, viewport());
    return true;
}

/// Enter and + open the selected group; Enter on its box, - on anything in it close it.
bool GraphView::handleGroupKey(int key) {
    const int group = selectedGroup();
    if (group < 0) return false;
    const bool closed = state_.graph->nodes[static_cast<Index>(state_.selected)].group >= 0;
    const bool opens = key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Return || key == Qt::Key_Enter;
    if (!opens && key != Qt::Key_Minus) return false;
    // A closed group can close the one around it.
    const int target = closed && !opens ? (*state_.graph->groups)[group].parent : group;
    if ((opens && !closed) || target <= 0) return false;
    Q_EMIT groupToggled(target, opens);
    return true;
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier && handleGroupKey(event->key())) return;
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoomBy(kZoomStep);
        case Qt::Key_Minus: return zoomBy(1 / kZoomStep);
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (const int next = neighbour(event->key()); next >= 0 && event->modifiers() == Qt::NoModifier)
                return choose(next);
            break;
        case Qt::Key_Escape: return choose(-1);
        default: break;
    }
    QGraphicsView::keyPressEvent(event);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        const int node = painter_.boxAt(mapToScene(event->pos()));
        if (node < 0) return;
        const int box = valueOf(node);
        if (box != state_.selected && !state_.alsoSelected.contains(box)) choose(box);
    }
    if (state_.selected < 0) return;
    // The keyboard's menu belongs to the selected box, wherever the pointer is.
    const QPoint box = mapFromScene(state_.layout->boxes[static_cast<Index>(state_.selected)].center());
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard && viewport()->rect().contains(box);
    Q_EMIT menuRequested(byKey ? viewport()->mapToGlobal(box) : event->globalPos());
}

/// The target of an arrow key: along edges towards that side, the nearest first; without a selection the first node.
int GraphView::neighbour(int key) const {
    if (!state_.graph || state_.graph->nodes.empty()) return -1;
    if (state_.selected < 0) return 0;
    const QPointF here = state_.layout->boxes[static_cast<Index>(state_.selected)].center();
    int best = -1;
    double bestDistance = 1e18;
    for (const auto& edge : state_.graph->edges) {
        if (edge.from != state_.selected && edge.to != state_.selected) continue;
        const int other = edge.from == state_.selected ? edge.to : edge.from;
        if (valueOf(other) != other) continue;
        const QPointF there = state_.layout->boxes[static_cast<Index>(other)].center();
        const double dx = there.x() - here.x(), dy = there.y() - here.y();
        const bool rung = edge.kind == DrawnEdge::Kind::rung;
        const bool fits = key == Qt::Key_Up     ? dy < 0 && !rung
                          : key == Qt::Key_Down ? dy > 0 && !rung
                          : key == Qt::Key_Left ? dx < 0 && rung
                                                : dx > 0 && rung;
        const double distance = std::hypot(dx, dy);
        if (fits && distance < bestDistance) best = other, bestDistance = distance;
    }
    return best;
}

void GraphView::followStub(int edge, QPointF scenePosition) {
    const auto e = static_cast<Index>(edge);
    const EdgeShape& shape = state_.layout->edges[e];
    if (!shape.stub) return;
    const auto distance = [&](QPointF p) { return QLineF(p, scenePosition).length(); };
    choose(distance(shape.start) < distance(shape.end) ? state_.graph->edges[e].to : state_.graph->edges[e].from);
}

}  // namespace aotscope
