#include "canvas/graph_view.h"

#include <QCursor>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kSmallestZoom = 0.02, kLargestZoom = 6, kComfortableZoom = 1.0;

}  // namespace

/// What is to stand still: its upper edge, since groups open downwards.
GraphView::Landmark GraphView::landmark(const QString& anchor) const {
    Landmark mark;
    const auto seen = [&](const QRectF& box) { return viewportTransform().map(QPointF(box.center().x(), box.top())); };
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

GraphView::Position GraphView::position() const {
    return {mapToScene(viewport()->rect()).boundingRect().center(), transform().m11()};
}

void GraphView::goTo(const Position& position) {
    if (!state_.layout || position.zoom <= 0) return;
    jump([&] {
        setTransform(QTransform::fromScale(position.zoom, position.zoom));
        centerOn(position.centre);
    });
}

void GraphView::showMinimap(bool shown) {
    minimapWanted_ = shown;
    followCamera();
}

void GraphView::fitAll() {
    if (!state_.layout) return;
    jump([this] { fitInView(state_.layout->bounds, Qt::KeepAspectRatio); });
}

void GraphView::fitWidth() {
    if (!state_.layout || state_.layout->bounds.width() <= 0) return;
    jump([this] {
        const double scale = std::clamp(viewport()->width() / state_.layout->bounds.width(), 0.45, kComfortableZoom);
        setTransform(QTransform::fromScale(scale, scale));
        const QRectF& bounds = state_.layout->bounds;
        // A picture that is wider all the same is entered where it begins.
        const bool fits = bounds.width() * scale <= viewport()->width() + 1;
        const double x =
            fits || state_.layout->boxes.empty() ? bounds.center().x() : state_.layout->boxes[0].center().x();
        centerOn(x, bounds.top() + viewport()->height() / (2 * scale));
    });
}

void GraphView::zoomBy(double factor) { zoomTo(std::clamp(transform().m11() * factor, kSmallestZoom, kLargestZoom)); }

void GraphView::resetZoom() { zoomTo(1); }

/// What is under the pointer, else in the middle, stands still. Qt's own anchor there has a pointer that has not moved
/// yet at the origin of the scene.
void GraphView::zoomTo(double zoom) {
    const QPointF middle = QRectF(viewport()->rect()).center();
    const QPointF at = viewport()->underMouse() ? viewport()->mapFromGlobal(QCursor::pos()) : middle;
    const QPointF place = viewportTransform().inverted().map(at);
    setTransform(QTransform::fromScale(zoom, zoom));
    centerOn(place + (middle - at) / zoom);
    followCamera();
}

void GraphView::centreOnSelection() {
    if (state_.selected >= 0) centerOn(state_.layout->boxes[static_cast<Index>(state_.selected)].center());
}

/// Not a step of a movement: the picture is sharp at once. The place is taken twice, since the strip of the minimap may
/// come or go with it, and the canvas is as wide as it leaves it.
void GraphView::jump(const std::function<void()>& toPlace) {
    toPlace();
    followCamera();
    toPlace();
    repaintPicture();
    followCamera();
}

/// The minimap shows where the window is. What is on the canvas stands still while the strip comes or goes.
void GraphView::followCamera() {
    resting_.start();
    minimap_->setView(mapToScene(viewport()->rect()).boundingRect());
    const bool shown = minimapWanted_ && minimap_->isUseful() && width() > 4 * Minimap::kStrip;
    if (shown != minimap_->isHidden()) return;
    minimap_->setVisible(shown);
    setResizeAnchor(QGraphicsView::NoAnchor);
    placeOverlays();
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
}

}  // namespace aotscope
