#include "canvas/graph_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kZoomStep = 1.25, kSmallestZoom = 0.02, kLargestZoom = 6;
constexpr double kComfortableZoom = 1.0;
constexpr int kClickDistance = 4;

QString tipOf(const DrawnGraph& graph, const DrawnNode& node) {
    QString tip = node.name;
    for (const QString& line : node.lines) tip += u'\n' + line;
    if (!node.origin.isEmpty()) tip += u'\n' + node.origin;
    for (const QString& line : fateLines(node)) tip += u'\n' + line;
    for (const auto& [tag, members] : graph.memoryGroups)
        if (tag == node.memory) tip += QStringLiteral("\nshares memory %1: %2").arg(tag, members);
    if (node.kind == DrawnNode::Kind::group) tip += QObject::tr("\ndouble click opens it");
    return tip;
}

QString tipOf(const DrawnEdge& edge, const EdgeShape& shape) {
    return shape.stub ? QObject::tr("%1 to %2: click to jump to the other end").arg(shape.endLabel, shape.startLabel)
                      : edge.tip;
}

}  // namespace

GraphView::GraphView(QWidget* parent)
    : QGraphicsView(parent),
      legend_(new Legend(state_, this)),
      minimap_(new Minimap(state_, this)),
      note_(new QLabel(this)) {
    setScene(&scene_);
    setDragMode(QGraphicsView::ScrollHandDrag);
    setRenderHint(QPainter::Antialiasing);
    setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
    setOptimizationFlags(QGraphicsView::DontSavePainterState | QGraphicsView::DontAdjustForAntialiasing);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    note_->setObjectName(QStringLiteral("canvasNote"));
    note_->setMargin(6);
    note_->setAutoFillBackground(true);
    note_->hide();
    legend_->hide();
    connect(minimap_, &Minimap::placeChosen, this, [this](QPointF centre) { centerOn(centre); });
}

void GraphView::showGraph(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout,
                          Camera camera, const QString& anchor) {
    const NodeId chosen = selectedNode_;
    // A picture that fits now and did not before is better seen whole.
    const QSizeF window = QSizeF(viewport()->size()) / transform().m11();
    const auto fits = [&](const QSizeF& size) {
        return size.width() <= window.width() && size.height() <= window.height();
    };
    const bool stay = camera == Camera::keep && state_.layout &&
                      (!anchor.isEmpty() || !fits(layout->bounds.size()) || fits(state_.layout->bounds.size()));
    const Landmark mark = stay ? landmark(anchor) : Landmark();
    state_.graph = std::move(graph);
    state_.layout = std::move(layout);
    painter_.setPicture(state_.graph, state_.layout);
    state_.selected = -1;
    state_.alsoSelected.clear();
    scene_.setSceneRect(state_.layout->bounds);
    refreshOverlays();
    setNote(state_.layout->note.isEmpty() ? state_.graph->note : state_.layout->note);
    if (const QRectF place = placeOf(mark); place.isNull()) {
        fitWidth();
    } else {
        // The scene grows where the window has to look beyond the picture.
        const QPointF middle = place.topLeft() + QPointF(place.width() / 2, 0) -
                               (mark.seenAt - QPointF(viewport()->rect().center())) / transform().m11();
        QRectF view(QPointF(), QSizeF(viewport()->size()) / transform().m11());
        view.moveCenter(middle);
        scene_.setSceneRect(state_.layout->bounds | view);
        centerOn(middle);
    }
    selectedNode_ = kNoNode;
    if (chosen != kNoNode) {
        selectedNode_ = chosen;
        this->mark(boxOf(chosen), camera == Camera::fit);
    }
    viewport()->update();
}

/// What is to stand still: its upper edge, since groups open downwards.
GraphView::Landmark GraphView::landmark(const QString& anchor) const {
    Landmark mark;
    const auto seen = [&](const QRectF& box) { return QPointF(mapFromScene(QPointF(box.center().x(), box.top()))); };
    const QRectF view = mapToScene(viewport()->rect()).boundingRect();
    if (!anchor.isEmpty()) {
        mark.group = anchor;
        const QRectF forward = placeOf(mark);
        mark.backward = true;
        const QRectF backward = placeOf(mark);
        mark.backward = forward.isNull() || (!view.intersects(forward) && !backward.isNull());
        const QRectF& place = mark.backward ? backward : forward;
        mark.seenAt = seen(place);
        if (!place.isNull()) return mark;
        mark = {};
    }
    int best = state_.selected;
    if (best < 0 || !view.intersects(state_.layout->boxes[static_cast<Index>(best)])) {
        double nearest = 1e18;
        for (Index i = 0; i < state_.layout->boxes.size(); ++i) {
            if (state_.graph->nodes[i].id == kNoNode && state_.graph->nodes[i].group < 0) continue;
            const double distance = QLineF(state_.layout->boxes[i].center(), view.center()).length();
            if (distance < nearest) nearest = distance, best = static_cast<int>(i);
        }
    }
    if (best < 0) return mark;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(best)];
    mark.node = node.id;
    if (node.group >= 0) mark.group = (*state_.graph->groups)[node.group].key;
    mark.backward = node.stage == Stage::backward;
    mark.seenAt = seen(state_.layout->boxes[static_cast<Index>(best)]);
    return mark;
}

/// Null: it is not in this picture.
QRectF GraphView::placeOf(const Landmark& mark) const {
    if (!state_.layout) return {};
    if (mark.node != kNoNode)
        if (const auto box = state_.graph->indexOf.find(mark.node); box != state_.graph->indexOf.end())
            return state_.layout->boxes[static_cast<Index>(box->second)];
    const int group = mark.group.isEmpty() || !state_.graph->groups ? -1 : state_.graph->groups->byKey(mark.group);
    if (group < 0) return {};
    for (Index i = 0; i < state_.graph->nodes.size(); ++i)
        if (const auto& node = state_.graph->nodes[i];
            node.group == group && (node.stage == Stage::backward) == mark.backward)
            return state_.layout->boxes[i];
    for (const auto& frame : state_.layout->frames)
        if (frame.group == group && frame.backward == mark.backward) return frame.rect;
    return {};
}

void GraphView::restyle(std::shared_ptr<const DrawnGraph> graph) {
    if (!state_.graph || graph->nodes.size() != state_.graph->nodes.size()) return;
    state_.graph = std::move(graph);
    painter_.setPicture(state_.graph, state_.layout);
    refreshOverlays();
    placeOverlays();
    viewport()->update();
}

void GraphView::showMessage(const QString& text) {
    state_.graph.reset();
    state_.layout.reset();
    painter_.setPicture(nullptr, nullptr);
    state_.selected = -1;
    selectedNode_ = kNoNode;
    state_.alsoSelected.clear();
    scene_.setSceneRect({});
    refreshOverlays();
    setNote(text);
    viewport()->update();
}

void GraphView::setNote(const QString& text) {
    note_->setText(text);
    note_->setVisible(!text.isEmpty());
    note_->adjustSize();
    placeOverlays();
}

void GraphView::select(NodeId id) {
    if (!state_.graph) return;
    // A group that was chosen here is no node that anyone else could know of.
    const bool groupChosen =
        state_.selected >= 0 && state_.graph->nodes[static_cast<Index>(state_.selected)].group >= 0;
    if (id == kNoNode && groupChosen && selectedNode_ == kNoNode) return;
    selectedNode_ = id;
    mark(boxOf(id), true);
}

NodeId GraphView::selectedNode() const {
    if (state_.selected < 0) return kNoNode;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(state_.selected)];
    return node.group >= 0 ? selectedNode_ : node.id;
}

int GraphView::selectedGroup() const {
    if (state_.selected < 0 || !state_.graph->groups) return -1;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(state_.selected)];
    const int group = node.group >= 0 ? node.group : node.within;
    return group > 0 ? group : -1;
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
    refreshOverlays();
    viewport()->update();
}

void GraphView::setColourBy(ColourBy colourBy) {
    state_.options.colourBy = colourBy;
    refreshOverlays();
    placeOverlays();
    viewport()->update();
}

GraphView::Position GraphView::position() const {
    return {mapToScene(viewport()->rect()).boundingRect().center(), transform().m11()};
}

void GraphView::goTo(const Position& position) {
    if (!state_.layout || position.zoom <= 0) return;
    setTransform(QTransform::fromScale(position.zoom, position.zoom));
    centerOn(position.centre);
    followCamera();
}

void GraphView::showMinimap(bool shown) {
    minimapWanted_ = shown;
    followCamera();
}

void GraphView::fitAll() {
    if (!state_.layout) return;
    fitInView(state_.layout->bounds, Qt::KeepAspectRatio);
    followCamera();
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
    followCamera();
}

void GraphView::zoomBy(double factor) {
    const double now = transform().m11(), next = std::clamp(now * factor, kSmallestZoom, kLargestZoom);
    scale(next / now, next / now);
    followCamera();
}

void GraphView::resetZoom() {
    setTransform({});
    followCamera();
}

void GraphView::centreOnSelection() {
    if (state_.selected >= 0) centerOn(state_.layout->boxes[static_cast<Index>(state_.selected)].center());
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
    const QPointF place = mapToScene(event->pos());
    const int node = painter_.boxAt(place);
    if (node >= 0 && (event->modifiers() & Qt::ControlModifier)) {
        const int box = valueOf(node);
        if (box >= 0 && state_.graph->nodes[static_cast<Index>(box)].id != kNoNode)
            Q_EMIT nodeToggled(state_.graph->nodes[static_cast<Index>(box)].id);
    } else if (node >= 0) choose(node);
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
    if (event->button() == Qt::LeftButton && toggleAt(mapToScene(event->pos()))) return;
    QGraphicsView::mouseDoubleClickEvent(event);
}

/// Opens the group whose box is there, or closes the one whose title is.
bool GraphView::toggleAt(QPointF place) {
    if (const int box = painter_.boxAt(place); box >= 0) {
        const int group = state_.graph->nodes[static_cast<Index>(box)].group;
        if (group >= 0) Q_EMIT groupToggled(group, true);
        return group >= 0;
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
        tip = tipOf(state_.graph->edges[static_cast<Index>(edge)], state_.layout->edges[static_cast<Index>(edge)]);
    else if (const int frame = painter_.frameTitleAt(place); frame >= 0)
        tip = tr("%1\ndouble click closes it")
                  .arg((*state_.graph->groups)[state_.layout->frames[static_cast<Index>(frame)].group].path);
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

void GraphView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    placeOverlays();
}

void GraphView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    followCamera();
}

void GraphView::refreshOverlays() {
    painter_.forgetColours();
    legend_->refresh();
    minimap_->refresh();
}

/// The minimap shows where the window is.
void GraphView::followCamera() {
    minimap_->setView(mapToScene(viewport()->rect()).boundingRect());
    minimap_->setVisible(minimapWanted_ && minimap_->isUseful());
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        const int node = painter_.boxAt(mapToScene(event->pos()));
        if (node < 0) return;
        const int box = valueOf(node);
        if (box != state_.selected && !state_.alsoSelected.contains(box)) choose(box);
    }
    if (state_.selected >= 0) Q_EMIT menuRequested(event->globalPos());
}

void GraphView::drawBackground(QPainter* painter, const QRectF& rect) {
    painter->fillRect(rect, state_.options.theme.background);
    painter_.paint(*painter, rect, state_, transform().m11());
}

void GraphView::choose(int index) {
    index = valueOf(index);
    selectedNode_ = index < 0 ? kNoNode : state_.graph->nodes[static_cast<Index>(index)].id;
    mark(index, true);
    Q_EMIT nodeSelected(selectedNode_);
}

/// A box of the graph's outputs stands for the value that it returns.
int GraphView::valueOf(int index) const {
    if (index < 0) return index;
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(index)];
    if (node.id != kNoNode || node.group >= 0) return index;
    for (const auto& edge : state_.graph->edges)
        if (edge.to == index) return edge.from;
    return -1;
}

void GraphView::mark(int index, bool bringIntoView) {
    if (index == state_.selected) return;
    state_.selected = index;
    viewport()->update();
    if (index >= 0 && bringIntoView)
        ensureVisible(state_.layout->boxes[static_cast<Index>(index)].adjusted(-30, -12, 30, 8), 80, 80);
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
    minimap_->move(canvas.right() - minimap_->width() - margin, canvas.bottom() - minimap_->height() - margin);
    followCamera();
}

}  // namespace aotscope
