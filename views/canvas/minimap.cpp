#include "canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>

namespace aotscope {

namespace {

constexpr int kLongest = 200, kShortest = 72, kMapMargin = 4;
constexpr double kSmallestFrame = 5;
constexpr double kMostSeen = 1.0 / 3;  // of a picture: where more of it is in view the map would only cover it

}  // namespace

Minimap::Minimap(const CanvasState& state, QWidget* parent) : QWidget(parent), state_(state) {
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Overview of the graph"));
    setCursor(Qt::PointingHandCursor);
    hide();
}

void Minimap::refresh() {
    image_ = {};
    if (state_.layout) {
        // Programs are long and narrow: a true scale would leave a line.
        const QSizeF size = state_.layout->bounds.size();
        const double scale = kLongest / std::max({size.width(), size.height(), 1.0});
        resize(std::max(kShortest, qRound(size.width() * scale)), std::max(kShortest, qRound(size.height() * scale)));
    }
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

QTransform Minimap::toMap() const {
    const QRectF bounds = state_.layout->bounds;
    const QRectF inside = QRectF(rect()).adjusted(kMapMargin, kMapMargin, -kMapMargin, -kMapMargin);
    return QTransform::fromTranslate(inside.left(), inside.top())
        .scale(inside.width() / bounds.width(), inside.height() / bounds.height())
        .translate(-bounds.left(), -bounds.top());
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
        for (std::size_t i = 0; i < state_.layout->boxes.size(); ++i) {
            const QRectF box = map.mapRect(state_.layout->boxes[i]);
            painter.fillRect(QRectF(box.topLeft(), box.size().expandedTo({1, 1})),
                             theme.colours(state_.graph->nodes[i], state_.options.colourBy).border);
        }
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
    painter.drawRect(view & QRectF(rect()).adjusted(0, 0, -1, -1));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme.flow);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void Minimap::mousePressEvent(QMouseEvent* event) { choose(event->position()); }
void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) choose(event->position());
}

void Minimap::choose(QPointF at) {
    if (state_.layout) Q_EMIT placeChosen(toMap().inverted().map(at));
}

}  // namespace aotscope
