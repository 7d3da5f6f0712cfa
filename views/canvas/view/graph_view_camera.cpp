#include "canvas/layout/first_view.h"
#include "canvas/view/graph_view.h"
#include "canvas/view/text_zoom.h"

#include <QCursor>
#include <QScrollBar>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <utility>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kSmallestZoom = 0.02, kLargestZoom = 6, kSmallestOfWidth = 0.45;
constexpr double kEdge = 60;          ///< pixels of the window: things beyond its edge are kept this far inside
constexpr double kFilling = 1.0 / 3;  ///< of the window's width or height: large for a closed group
constexpr int kMapGap = 8;            ///< pixels between the minimap and the border, or boxes
constexpr double kRim = 4;            ///< pixels of the window kept free of pictures
constexpr double kSpare = 20;         ///< of the margin at either side of a picture, where there is little room

QPointF nearestIn(const QRectF& area, QPointF place) {
    return {std::max(area.left(), std::min(place.x(), area.right())),
            std::max(area.top(), std::min(place.y(), area.bottom()))};
}

}  // namespace

/// What must not move: the group that is opened or closed, else a box.
GraphView::Landmark GraphView::landmark(const QString& anchor) const {
    Landmark mark = anchor.isEmpty() ? Landmark() : groupLandmark(anchor);
    if (mark.group.isEmpty()) mark = boxLandmark();
    return mark;
}

/// The half of a group that was under the pointer; else the visible one, by its title.
GraphView::Landmark GraphView::groupLandmark(const QString& key) const {
    const QRectF view = mapToScene(viewport()->rect()).boundingRect();
    const QPointF pointed = mapToScene(pointedAt_);
    Landmark mark{kNoNode, key, false, {}};
    const QRectF forward = placeOf(mark);
    mark.backward = true;
    const QRectF backward = placeOf(mark);
    mark.backward = !backward.isNull() && (backward.contains(pointed) || !view.intersects(forward));
    const QRectF& place = mark.backward ? backward : forward;
    if (place.isNull()) return {};
    const bool isPointed = place.contains(pointed) && view.contains(pointed);
    const double margin = kEdge / transform().m11();
    const QPointF held =
        isPointed ? pointed : nearestIn(view.adjusted(margin, margin, -margin, -margin), handleOf(mark, place));
    mark.seenAt = viewportTransform().map(held);
    return mark;
}

/// -1: no box can exist in other pictures.
int GraphView::boxNearest(QPointF place) const {
    int best = -1;
    double nearest = 1e18;
    for (Index i = 0; i < state_.layout->boxes.size(); ++i) {
        if (state_.graph->nodes[i].id == kNoNode && state_.graph->nodes[i].group < 0) continue;
        const double distance = QLineF(state_.layout->boxes[i].center(), place).length();
        if (distance < nearest) nearest = distance, best = static_cast<int>(i);
    }
    return best;
}

/// The selected box, else the one in the middle.
GraphView::Landmark GraphView::boxLandmark() const {
    const QRectF view = mapToScene(viewport()->rect()).boundingRect();
    int best = state_.selected;
    if (best < 0 || !view.intersects(state_.layout->boxes[static_cast<Index>(best)])) best = boxNearest(view.center());
    if (best < 0) return {};
    const DrawnNode& node = state_.graph->nodes[static_cast<Index>(best)];
    Landmark mark{node.id, {}, state_.graph->isBackward(best), {}};
    if (node.group >= 0) mark.group = (*state_.graph->groups)[node.group].key;
    mark.seenAt = viewportTransform().map(handleOf(mark, state_.layout->boxes[static_cast<Index>(best)]));
    return mark;
}

/// The half of a group that was zoomed at, else the box nearest to the pointer, with its size.
GraphView::Landmark GraphView::zoomedLandmark(const QString& anchor) const {
    const QPointF pointed = viewportTransform().inverted().map(QPointF(pointedAt_));
    Landmark mark = anchor.isEmpty() ? Landmark() : groupLandmark(anchor);
    if (const int box = mark.group.isEmpty() ? boxNearest(pointed) : -1; box >= 0) {
        const DrawnNode& node = state_.graph->nodes[static_cast<Index>(box)];
        mark = {node.id, node.group < 0 ? QString() : (*state_.graph->groups)[node.group].key,
                state_.graph->isBackward(box)};
    }
    mark.seenAt = pointedAt_;
    mark.seenIn = viewportTransform().mapRect(placeOf(mark));
    return mark;
}

/// The open half of a group; null: closed, or not in this picture.
const GroupFrame* GraphView::frameOf(const Landmark& mark) const {
    if (mark.group.isEmpty() || !state_.layout || !state_.graph->groups) return nullptr;
    const int group = state_.graph->groups->byKey(mark.group);
    for (const auto& frame : state_.layout->frames)
        if (frame.group == group && frame.backward == mark.backward) return &frame;
    return nullptr;
}

/// Null: not in this picture.
QRectF GraphView::placeOf(const Landmark& mark) const {
    if (!state_.layout) return {};
    if (mark.node != kNoNode)
        if (const auto box = state_.graph->indexOf.find(mark.node); box != state_.graph->indexOf.end())
            return state_.layout->boxes[static_cast<Index>(box->second)];
    if (const GroupFrame* frame = frameOf(mark)) return frame->rect;
    const int group = mark.group.isEmpty() || !state_.graph->groups ? -1 : state_.graph->groups->byKey(mark.group);
    for (Index i = 0; group >= 0 && i < state_.graph->nodes.size(); ++i)
        if (state_.graph->nodes[i].group == group && state_.graph->isBackward(static_cast<int>(i)) == mark.backward)
            return state_.layout->boxes[i];
    return {};
}

/// The first thing seen of an open group: its topmost box.
QRectF GraphView::firstBoxIn(const GroupFrame& frame) const {
    QRectF first;
    for (Index i = 0; i < state_.graph->nodes.size(); ++i) {
        const QRectF& box = state_.layout->boxes[i];
        if (state_.graph->groups->isWithin(state_.graph->nodes[i].within, frame.group) &&
            state_.graph->isBackward(static_cast<int>(i)) == frame.backward &&
            (first.isNull() || box.top() < first.top()))
            first = box;
    }
    return first;
}

/// The fixed point of a landmark at `place`: in a frame, its title above the topmost box, so that this box takes the
/// place of the closed group; of a closed group, its middle; of other boxes, their upper edge, since they grow
/// downwards.
QPointF GraphView::handleOf(const Landmark& mark, const QRectF& place) const {
    if (mark.node != kNoNode) return {place.center().x(), place.top()};
    if (const GroupFrame* frame = frameOf(mark))
        return {firstBoxIn(*frame).center().x(), place.top() + kFrameTitle / 2};
    return place.center();
}

/// Brings the landmark to its previous place.
void GraphView::hold(const Landmark& mark) {
    moveTo(handleOf(mark, placeOf(mark)), mark.seenAt);
    if (const GroupFrame* frame = frameOf(mark)) ensureVisible(firstBoxIn(*frame), kFrameTitle, kFrameTitle);
}

/// Keeps what is under the pointer: the same relative place in its frame or box.
void GraphView::holdSize(const Landmark& mark) {
    const QRectF place = placeOf(mark);
    const double scale = std::clamp(mark.seenIn.width() / place.width(), readableZoom(), std::max(zoom(), usualZoom()));
    setTransform(QTransform::fromScale(scale, scale));
    const QPointF part = mark.seenAt - mark.seenIn.topLeft();
    moveTo(place.topLeft() + QPointF(part.x() / mark.seenIn.width() * place.width(),
                                     part.y() / mark.seenIn.height() * place.height()),
           mark.seenAt);
}

/// The initial view: as a whole if readable, else from its start.
void GraphView::start() {
    if (!state_.layout || state_.layout->bounds.isEmpty()) return;
    jump([this] {
        QRectF bounds = state_.layout->bounds;
        QSizeF window =
            QSizeF(maximumViewportSize()) - QSizeF(kRim, kRim);  // scroll bars of the previous picture may disappear
        const double high = window.height() / bounds.height(), all = std::min(window.width() / bounds.width(), high);
        if (all < readableZoom()) window.rwidth() -= verticalScrollBar()->sizeHint().width();
        double wide = window.width() / bounds.width();
        const double scale = std::clamp(all < readableZoom() ? wide : all, readableZoom(), usualZoom());
        const QRectF trimmed = bounds.adjusted(kSpare, 0, -kSpare, 0);
        if (wide < scale && trimmed.width() * scale <= window.width()) {
            bounds = trimmed;
            scene_.setSceneRect(bounds);
            wide = scale;
        }
        if (wide < scale) window.rheight() -= horizontalScrollBar()->sizeHint().height();
        FirstView first{1, bounds.center()};
        if (all < scale) first = firstView(*state_.graph, *state_.layout, window / scale, scale / legibleZoom());
        if (wide >= scale && first.further == 1) first.centre.setX(bounds.center().x());
        const double zoom = scale / first.further;
        setTransform(QTransform::fromScale(zoom, zoom));
        centerOn(first.centre);
    });
    fitted_ = Fitted::start;
}

Room GraphView::room() const {
    const QSizeF whole = QSizeF(maximumViewportSize()) - QSizeF(kRim, kRim);
    const double beside = whole.width() - verticalScrollBar()->sizeHint().width();
    return {whole / readableZoom(), beside / readableZoom() + 2 * kSpare, readableZoom() / legibleZoom()};
}

bool GraphView::isTooWide() const {
    return state_.layout && zoom() <= readableZoom() &&
           horizontalScrollBar()->maximum() > horizontalScrollBar()->minimum();
}

int GraphView::groupFilling(QPointF place) const {
    const int box = state_.layout ? painter_.boxAt(place) : -1;
    if (box < 0 || state_.graph->nodes[static_cast<Index>(box)].group < 0) return -1;
    const QSizeF seen = state_.layout->boxes[static_cast<Index>(box)].size() * zoom();
    const bool fills =
        seen.width() >= kFilling * viewport()->width() || seen.height() >= kFilling * viewport()->height();
    return fills ? state_.graph->nodes[static_cast<Index>(box)].group : -1;
}

int GraphView::groupAt(QPointF place) const {
    if (!state_.layout) return -1;
    if (const int box = painter_.boxAt(place); box >= 0)
        if (const int group = state_.graph->nodes[static_cast<Index>(box)].group; group >= 0) return group;
    int inner = -1;  // inner frames come after those around them
    for (const GroupFrame& frame : state_.layout->frames)
        if (frame.rect.contains(place)) inner = frame.group;
    return inner;
}

GraphView::Position GraphView::position() const {
    return {mapToScene(viewport()->rect()).boundingRect().center(), zoom()};
}

void GraphView::goTo(const Position& position) {
    if (!state_.layout || position.zoom <= 0) return;
    jump([&] {
        scene_.setSceneRect(state_.layout->bounds);  // start() may have left its margins out
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
    jump([this] {
        scene_.setSceneRect(state_.layout->bounds);
        fitInView(state_.layout->bounds, Qt::KeepAspectRatio);
    });
    fitted_ = Fitted::all;
}

void GraphView::fitAgain() {
    switch (fitted_) {
        case Fitted::no: break;
        case Fitted::start: return start();
        case Fitted::all: return fitAll();
        case Fitted::width: return fitWidth();
    }
}

double GraphView::zoomOfAll() const {
    if (!state_.layout || state_.layout->bounds.isEmpty()) return 1;
    const QSizeF picture = state_.layout->bounds.size(), window = viewport()->size();
    return std::min(window.width() / picture.width(), window.height() / picture.height());
}

void GraphView::fitWidth() {
    if (!state_.layout || state_.layout->bounds.width() <= 0) return;
    jump([this] {
        scene_.setSceneRect(state_.layout->bounds);
        const double scale =
            std::clamp(viewport()->width() / state_.layout->bounds.width(), kSmallestOfWidth, usualZoom());
        setTransform(QTransform::fromScale(scale, scale));
        const QRectF& bounds = state_.layout->bounds;
        const bool fits = bounds.width() * scale <= viewport()->width() + 1;
        const double x =
            fits ? bounds.center().x()
                 : firstView(*state_.graph, *state_.layout, QSizeF(viewport()->size()) / scale, 1).centre.x();
        centerOn(x, bounds.top() + viewport()->height() / (2 * scale));
    });
    fitted_ = Fitted::width;
}

void GraphView::zoomBy(double factor) { zoomBy(factor, pointer()); }

void GraphView::zoomBy(double factor, QPointF at) {
    zoomTo(std::clamp(zoom() * factor, kSmallestZoom, kLargestZoom), at);
    pointedAt_ = at.toPoint();
    Q_EMIT zoomed(factor > 1, viewportTransform().inverted().map(at));
}

void GraphView::resetZoom() { zoomTo(usualZoom(), pointer()); }

/// In the viewport; the middle if the pointer is elsewhere.
QPointF GraphView::pointer() const {
    return viewport()->underMouse() ? viewport()->mapFromGlobal(QCursor::pos()) : QRectF(viewport()->rect()).center();
}

/// `at` does not move. Qt's own anchor takes a pointer that has not moved yet to be at the origin of the scene.
void GraphView::zoomTo(double zoom, QPointF at) {
    fitted_ = Fitted::no;
    if (state_.layout) scene_.setSceneRect(state_.layout->bounds);
    const QPointF middle = QRectF(viewport()->rect()).center();
    const QPointF place = viewportTransform().inverted().map(at);
    setTransform(QTransform::fromScale(zoom, zoom));
    showScrollBarsNow();
    centerOn(place + (middle - at) / zoom);
    followCamera();
}

void GraphView::centreOnSelection() {
    if (state_.selected >= 0) centerOn(state_.layout->boxes[static_cast<Index>(state_.selected)].center());
}

/// Qt does so in the next round of the event loop, and then the canvas has another size.
void GraphView::showScrollBarsNow() { setViewportMargins({}); }

/// Not a step of a movement: the picture is sharp at once. The place is set twice, since scroll bars may appear or
/// disappear with it and change the size of the canvas.
void GraphView::jump(const std::function<void()>& toPlace) {
    const bool before = std::exchange(placing_, true);
    toPlace();
    showScrollBarsNow();
    toPlace();
    repaintPicture();
    followCamera();
    placing_ = before;
    fitted_ = Fitted::no;
}

void GraphView::followCamera() {
    resting_.start();
    Q_EMIT cameraMoved();
    minimap_->setView(mapToScene(viewport()->rect()).boundingRect());
    placeMinimap();
}

/// In a corner without boxes, for as long as there are none; not while it is dragged in.
void GraphView::placeMinimap() {
    if (QWidget::mouseGrabber() == minimap_) return;
    const QRect canvas = viewport()->geometry().adjusted(kMapGap, kMapGap, -kMapGap, -kMapGap);
    const bool wanted = minimapWanted_ && minimap_->isUseful() && canvas.width() > 4 * Minimap::kWidth;
    QRect place;
    if (wanted) {
        const QSize size = minimap_->sizeIn(canvas.size());
        std::vector<QRect> corners;
        for (const Qt::Alignment corner : {Qt::AlignTop | Qt::AlignRight, Qt::AlignBottom | Qt::AlignRight,
                                           Qt::AlignTop | Qt::AlignLeft, Qt::AlignBottom | Qt::AlignLeft})
            corners.push_back(QStyle::alignedRect(Qt::LeftToRight, corner, size, canvas));
        if (!minimap_->isHidden() && std::ranges::find(corners, minimap_->geometry()) != corners.end())
            corners.insert(corners.begin(), minimap_->geometry());
        const auto free = std::ranges::find_if(corners, [this](const QRect& corner) { return isFree(corner); });
        if (free != corners.end()) place = *free;
    }
    if (!place.isNull()) minimap_->setGeometry(place);
    minimap_->setVisible(!place.isNull());
}

/// No box, and no note, is there.
bool GraphView::isFree(const QRect& place) const {
    if (note_->isVisible() && note_->geometry().intersects(place)) return false;
    const QRectF inViewport =
        QRectF(place.translated(-viewport()->pos())).adjusted(-kMapGap, -kMapGap, kMapGap, kMapGap);
    return !painter_.hasBoxIn(viewportTransform().inverted().mapRect(inViewport));
}

}  // namespace aotscope
