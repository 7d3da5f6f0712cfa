#include "controllers/graphs/linked_cameras.h"

#include <QEvent>
#include <limits>

namespace aotscope {

namespace {

const QRectF* boxOf(const GraphView& view, NodeId node) {
    const auto box = view.graph()->indexOf.find(node);
    return box == view.graph()->indexOf.end() ? nullptr : &view.layout()->boxes[static_cast<std::size_t>(box->second)];
}

/// The same part of another picture.
QPointF samePart(const QPointF& place, const QRectF& from, const QRectF& to) {
    const auto scaled = [](double at, double start, double length, double otherStart, double otherLength) {
        return length > 0 ? otherStart + (at - start) / length * otherLength : otherStart;
    };
    return {scaled(place.x(), from.left(), from.width(), to.left(), to.width()),
            scaled(place.y(), from.top(), from.height(), to.top(), to.height())};
}

}  // namespace

LinkedCameras::LinkedCameras(GraphView* a, GraphView* b, std::function<const LevelMap*()> map, QObject* parent)
    : QObject(parent), a_{a, {}}, b_{b, {}}, leader_(a), map_(std::move(map)) {
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &LinkedCameras::align);
    for (GraphView* view : {a, b}) view->viewport()->installEventFilter(this);
}

bool LinkedCameras::eventFilter(QObject* viewport, QEvent* event) {
    if (!on_ || event->type() != QEvent::Paint) return false;
    const Camera& camera = viewport == a_.view->viewport() ? a_ : b_;
    const auto [centre, zoom] = camera.view->position();
    if (centre != camera.known.centre || zoom != camera.known.zoom) follow(camera.view);
    return false;
}

void LinkedCameras::setOn(bool on) {
    on_ = on;
    follow(a_.view);
}

void LinkedCameras::follow(GraphView* leader) {
    leader_ = leader;
    for (Camera* camera : {&a_, &b_}) camera->known = camera->view->position();
    if (on_) soon_.start(0);
}

void LinkedCameras::align() {
    Camera& other = leader_ == a_.view ? b_ : a_;
    if (!on_ || !other.view->isVisible() || !leader_->layout() || !other.view->layout() || !map_()) return;
    other.view->goTo(counterpartOf(*leader_, *other.view));
    other.known = other.view->position();
}

GraphView::Position LinkedCameras::counterpartOf(const GraphView& from, const GraphView& to) const {
    const GraphView::Position here = from.position();
    const QRectF seen = from.mapToScene(from.viewport()->rect()).boundingRect();
    const LevelMap* map = map_();
    double nearest = std::numeric_limits<double>::max();
    QPointF there = samePart(here.centre, from.layout()->bounds, to.layout()->bounds);
    for (const auto& [node, index] : from.graph()->indexOf) {
        const QPointF centre = from.layout()->boxes[static_cast<std::size_t>(index)].center();
        const QPointF aside = centre - here.centre;
        const double distance = QPointF::dotProduct(aside, aside);
        if (distance >= nearest || !seen.contains(centre)) continue;
        for (const NodeId counterpart : &from == a_.view ? map->toB(node) : map->toA(node)) {
            const QRectF* box = boxOf(to, counterpart);
            if (!box) continue;
            nearest = distance;
            there = box->center() - aside;
            break;
        }
    }
    return {there, here.zoom};
}

}  // namespace aotscope
