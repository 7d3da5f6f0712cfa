#include "canvas/view/minimap.h"

#include <QMouseEvent>
#include <QPainter>

namespace aotscope {

namespace {

constexpr int kShortest = 72, kMapMargin = 3;
constexpr double kHighest = 0.4;  ///< of the canvas
constexpr double kSmallestFrame = 5;
constexpr double kMostSeen = 1.0 / 3;  // of a picture: with more of it in view, the map would only cover it

}  // namespace

Minimap::Minimap(const CanvasState& state, QWidget* parent) : QWidget(parent), state_(state) {
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Overview of the graph"));
    setCursor(Qt::PointingHandCursor);
    hide();
}

void Minimap::refresh() {
    image_ = {};
    update();
}

void Minimap::setView(const QRectF& view) {
    view_ = view;
    update();
}

bool Minimap::isUseful() const {
    if (!state_.layout || state_.layout->boxes.empty()) return false;
    const QRectF all = state_.layout->bounds, seen = all & view_;
    return seen.width() * seen.height() < kMostSeen * all.width() * all.height();
}

QSize Minimap::sizeIn(const QSize& canvas) const {
    const QSizeF picture = state_.layout->bounds.size();
    const int high = qRound(kWidth * picture.height() / std::max(picture.width(), 1.0));
    return {kWidth, std::min(std::max(high, kShortest), qRound(kHighest * canvas.height()))};
}

QRectF Minimap::mapRect() const { return QRectF(rect()).adjusted(kMapMargin, kMapMargin, -kMapMargin, -kMapMargin); }

QTransform Minimap::toMap() const {
    const QRectF bounds = state_.layout->bounds, inside = mapRect();
    return QTransform::fromTranslate(inside.left(), inside.top())
        .scale(inside.width() / bounds.width(), inside.height() / bounds.height())
        .translate(-bounds.left(), -bounds.top());
}

/// Most of 100,000 boxes coincide with others.
void Minimap::paintBoxes(QPainter& painter, const QTransform& map) const {
    QRect last;
    QColor lastColour;
    for (std::size_t i = 0; i < state_.layout->boxes.size(); ++i) {
        const QRectF box = map.mapRect(state_.layout->boxes[i]);
        const QColor colour = state_.options.theme.colours(state_.graph->nodes[i], state_.options.colourBy).border;
        const QRect pixels = box.toAlignedRect();
        if (pixels == last && colour == lastColour) continue;
        painter.fillRect(QRectF(box.topLeft(), box.size().expandedTo({1, 1})), colour);
        last = pixels;
        lastColour = colour;
    }
}

void Minimap::paintEvent(QPaintEvent* /*event*/) {
    if (!state_.layout) return;
    const Theme& theme = state_.options.theme;
    const QTransform map = toMap();
    if (image_.size() != size() * devicePixelRatioF()) {
        image_ = QImage(size() * devicePixelRatioF(), QImage::Format_RGB32);
        image_.setDevicePixelRatio(devicePixelRatioF());
        image_.fill(theme.background);
        QPainter painter(&image_);
        paintBoxes(painter, map);
    }
    QPainter painter(this);
    painter.drawImage(0, 0, image_);
    QColor veil = theme.selection;
    veil.setAlpha(40);
    QRectF view = map.mapRect(view_);
    const QPointF centre = view.center();
    view.setSize(view.size().expandedTo({kSmallestFrame, kSmallestFrame}));
    view.moveCenter(centre);
    painter.setBrush(veil);
    painter.setPen(theme.selection);
    const QRectF border = QRectF(rect()).adjusted(0, 0, -1, -1);
    painter.drawRect(view & border);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme.flow);
    painter.drawRect(border);
}

void Minimap::mousePressEvent(QMouseEvent* event) { choose(event->position()); }
void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) choose(event->position());
}

void Minimap::choose(QPointF at) {
    if (state_.layout) Q_EMIT placeChosen(toMap().inverted().map(at));
}

}  // namespace aotscope
