#include "canvas/graph_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kZoomStep = 1.25, kSmallestZoom = 0.02, kLargestZoom = 6;
constexpr double kComfortableZoom = 1.0;
constexpr int kClickDistance = 4;

}  // namespace

GraphView::GraphView(QWidget* parent)
    : QGraphicsView(parent), legend_(new Legend(state_, this)), note_(new QLabel(this)) {
    setScene(&scene_);
    setDragMode(QGraphicsView::ScrollHandDrag);
    setRenderHint(QPainter::Antialiasing);
    setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
    setOptimizationFlags(QGraphicsView::DontSavePainterState | QGraphicsView::DontAdjustForAntialiasing);
    setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    note_->setObjectName(QStringLiteral("canvasNote"));
    note_->setMargin(6);
    note_->setAutoFillBackground(true);
    note_->hide();
    legend_->hide();
}

void GraphView::showGraph(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout) {
    const NodeId chosen = selectedNode();
    scene_.clear();
    nodeItems_.clear();
    edgeItems_.clear();
    state_.graph = std::move(graph);
    state_.layout = std::move(layout);
    state_.selected = -1;
    state_.alsoSelected.clear();
    for (Index i = 0; i < state_.graph->edges.size(); ++i) {
        edgeItems_.push_back(new EdgeItem(state_, static_cast<int>(i)));
        scene_.addItem(edgeItems_.back());
    }
    for (Index i = 0; i < state_.graph->nodes.size(); ++i) {
        nodeItems_.push_back(new NodeItem(state_, static_cast<int>(i)));
        scene_.addItem(nodeItems_.back());
    }
    scene_.setSceneRect(state_.layout->bounds);
    legend_->refresh();
    setNote(state_.layout->note.isEmpty() ? state_.graph->note : state_.layout->note);
    fitWidth();
    select(chosen);
}

void GraphView::restyle(std::shared_ptr<const DrawnGraph> graph) {
    if (!state_.graph || graph->nodes.size() != state_.graph->nodes.size()) return;
    state_.graph = std::move(graph);
    for (NodeItem* item : nodeItems_) item->refreshTip();
    legend_->refresh();
    placeOverlays();
    viewport()->update();
}

void GraphView::showMessage(const QString& text) {
    scene_.clear();
    nodeItems_.clear();
    edgeItems_.clear();
    state_.graph.reset();
    state_.layout.reset();
    state_.selected = -1;
    state_.alsoSelected.clear();
    scene_.setSceneRect({});
    legend_->refresh();
    setNote(text);
}

void GraphView::setNote(const QString& text) {
    note_->setText(text);
    note_->setVisible(!text.isEmpty());
    note_->adjustSize();
    placeOverlays();
}

void GraphView::select(NodeId id) {
    if (!state_.graph) return;
    mark(boxOf(id), true);
}

NodeId GraphView::selectedNode() const {
    return state_.selected >= 0 ? state_.graph->nodes[static_cast<Index>(state_.selected)].id : kNoNode;
}

void GraphView::setAlsoSelected(const std::vector<NodeId>& ids) {
    state_.alsoSelected.clear();
    for (const NodeId id : ids)
        if (const int box = state_.graph ? boxOf(id) : -1; box >= 0) state_.alsoSelected.insert(box);
    viewport()->update();
}

int GraphView::boxOf(NodeId id) const {
    const DrawnGraph& graph = *state_.graph;
    if (const auto it = graph.indexOf.find(id); it != graph.indexOf.end()) return it->second;
    // A parameter is a line in the boxes that use it.
    const auto user = graph.attachedTo.find(id);
    return user == graph.attachedTo.end() ? -1 : user->second;
}

void GraphView::setTheme(const Theme& theme) {
    state_.options.theme = theme;
    legend_->refresh();
    viewport()->update();
}

void GraphView::setColourBy(ColourBy colourBy) {
    state_.options.colourBy = colourBy;
    legend_->refresh();
    placeOverlays();
    viewport()->update();
}

void GraphView::fitAll() {
    if (state_.layout) fitInView(state_.layout->bounds, Qt::KeepAspectRatio);
}

void GraphView::fitWidth() {
    if (!state_.layout || state_.layout->bounds.width() <= 0) return;
    const double scale = std::clamp(viewport()->width() / state_.layout->bounds.width(), 0.45, kComfortableZoom);
    setTransform(QTransform::fromScale(scale, scale));
    const QRectF& bounds = state_.layout->bounds;
    // A picture that is wider all the same is entered where it begins.
    const bool fits = bounds.width() * scale <= viewport()->width() + 1;
    const double x = fits || state_.layout->boxes.empty() ? bounds.center().x() : state_.layout->boxes[0].center().x();
    centerOn(x, bounds.top() + viewport()->height() / (2 * scale));
}

void GraphView::zoomBy(double factor) {
    const double now = transform().m11(), next = std::clamp(now * factor, kSmallestZoom, kLargestZoom);
    scale(next / now, next / now);
}

void GraphView::resetZoom() { setTransform({}); }

void GraphView::centreOnSelection() {
    if (state_.selected >= 0) centerOn(nodeItems_[static_cast<Index>(state_.selected)]->boundingRect().center());
}

void GraphView::wheelEvent(QWheelEvent* event) {
    // As in browsers: Ctrl zooms, the wheel alone scrolls.
    if (!(event->modifiers() & Qt::ControlModifier)) return QGraphicsView::wheelEvent(event);
    zoomBy(std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    pressedAt_ = event->pos();
    QGraphicsView::mousePressEvent(event);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    QGraphicsView::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || (event->pos() - pressedAt_).manhattanLength() > kClickDistance) return;
    QGraphicsItem* item = itemAt(event->pos());
    auto* node = dynamic_cast<NodeItem*>(item);
    if (node && (event->modifiers() & Qt::ControlModifier)) {
        if (const int box = valueOf(node->index()); box >= 0)
            Q_EMIT nodeToggled(state_.graph->nodes[static_cast<Index>(box)].id);
    } else if (node) choose(node->index());
    else if (auto* edge = dynamic_cast<EdgeItem*>(item)) followStub(edge->index(), mapToScene(event->pos()));
    else choose(-1);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
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

void GraphView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    placeOverlays();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto* node = dynamic_cast<NodeItem*>(itemAt(event->pos()));
        if (!node) return;
        const int box = valueOf(node->index());
        if (box != state_.selected && !state_.alsoSelected.contains(box)) choose(box);
    }
    if (state_.selected >= 0) Q_EMIT menuRequested(event->globalPos());
}

void GraphView::drawBackground(QPainter* painter, const QRectF& rect) {
    painter->fillRect(rect, state_.options.theme.background);
}

void GraphView::choose(int index) {
    index = valueOf(index);
    mark(index, true);
    Q_EMIT nodeSelected(index < 0 ? kNoNode : state_.graph->nodes[static_cast<Index>(index)].id);
}

/// A box of the graph's outputs stands for the value that it returns.
int GraphView::valueOf(int index) const {
    if (index < 0 || state_.graph->nodes[static_cast<Index>(index)].id != kNoNode) return index;
    for (const auto& edge : state_.graph->edges)
        if (edge.to == index) return edge.from;
    return -1;
}

void GraphView::mark(int index, bool bringIntoView) {
    if (index == state_.selected) return;
    state_.selected = index;
    viewport()->update();
    if (index >= 0 && bringIntoView) ensureVisible(nodeItems_[static_cast<Index>(index)]->boundingRect(), 80, 80);
}

/// The node that an arrow key leads to: along edges towards that side, the nearest first; without a selection
/// the first node.
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

void GraphView::placeOverlays() {
    constexpr int margin = 12;
    const int legendHeight = legend_->heightForWidth(viewport()->width());
    setViewportMargins(0, 0, 0, legendHeight);
    const QRect canvas = viewport()->geometry();
    legend_->setGeometry(canvas.left(), canvas.bottom() + 1, canvas.width(), legendHeight);
    legend_->setVisible(legendHeight > 0);
    note_->move(margin, margin);
}

}  // namespace aotscope
