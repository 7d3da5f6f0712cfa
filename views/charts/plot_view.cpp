#include "charts/plot_view.h"

#include "charts/plot_painter.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace aotscope {

PlotView::PlotView(const QString& name, const QString& accessibleName, Zoom zoom, QWidget* parent)
    : ChartWidget(parent), zoom_(zoom) {
    setObjectName(name);
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PlotView::setPlot(Plot plot, bool keepsZoom) {
    const bool zoomed = !plot_.series.empty() && (x_ != plot_.x.range || y_ != plot_.y.range);
    plot_ = std::move(plot);
    if (current_ >= stopCount()) current_ = -1;
    if (keepsZoom && zoomed) look(x_, y_);
    else showAll();
}

void PlotView::showAll() { look(plot_.x.range, plot_.y.range); }

void PlotView::look(const AxisRange& x, const AxisRange& y) {
    x_ = x.within(plot_.x.range, plot_.x.shortest());
    if (zoom_ == Zoom::both) y_ = y.within(plot_.y.range, plot_.y.shortest());
    else y_ = x_ == plot_.x.range ? plot_.y.range : plot_.heightsIn(x_);
    update();
}

void PlotView::zoomBy(double factor, QPointF centre) {
    look(x_.zoomed(factor, centre.x()), zoom_ == Zoom::both ? y_.zoomed(factor, centre.y()) : y_);
}

void PlotView::zoomTo(const QRectF& band) {
    const PlotFrame seen = frame();
    const QPointF low = seen.value(band.bottomLeft()), high = seen.value(band.topRight());
    look(AxisRange::spanning(low.x(), high.x()), AxisRange::spanning(low.y(), high.y()));
}

int PlotView::stopBeside(int stop, int direction) const {
    return stop < 0 && direction < 0 ? stopCount() - 1 : stop + direction;
}

int PlotView::nearestTo(QPointF place) const {
    constexpr double reach = 12;  // pixels
    const PlotFrame seen = frame();
    int best = -1;
    double nearest = reach + 1;
    for (int stop = 0; stop < stopCount(); ++stop)
        for (const QPointF& point : pointsOf(stop)) {
            const double distance = (seen.place(point) - place).manhattanLength();
            if (distance < nearest) best = stop, nearest = distance;
        }
    return best;
}

void PlotView::choose(int /*stop*/) {}

// --- painting ---

void PlotView::paintEvent(QPaintEvent* /*event*/) {
    const PlotLayout layout = layOut(plot_, size(), x_, y_);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPlot(painter, plot_, layout, theme_);
    if (current_ >= 0) paintCurrent(painter, layout.frame);
    if (!band_.isEmpty()) paintMarked(painter, band_, theme_);
}

/// A line through it where it stands for a column, and a ring around each of its points.
void PlotView::paintCurrent(QPainter& painter, const PlotFrame& frame) const {
    constexpr double radius = 3.5;
    const std::vector<QPointF> points = pointsOf(current_);
    if (!frame.x.contains(points.front().x())) return;
    if (zoom_ == Zoom::along) {
        const double x = std::floor(frame.place(points.front()).x()) + 0.5;
        painter.setPen(QPen(theme_.faintText, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()));
    }
    painter.setPen(QPen(theme_.text, 1.5));
    painter.setBrush(theme_.background);
    for (const QPointF& point : points)
        if (std::isfinite(point.y()) && frame.y.contains(point.y()))
            painter.drawEllipse(frame.place(point), radius, radius);
}

// --- mouse ---

void PlotView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) pressed_ = event->position();
}

void PlotView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF place = event->position();
    if (!pressed_ || !event->buttons().testFlag(Qt::LeftButton))
        return readOut(stopAt(place), event->globalPosition().toPoint());
    if (band_.isEmpty() && (place - *pressed_).manhattanLength() < QApplication::startDragDistance()) return;
    readOut(-1, {});
    const QRectF area = frame().area;
    band_ = QRectF(*pressed_, place).normalized() & area;
    if (zoom_ == Zoom::along) band_ = {band_.left(), area.top(), band_.width(), area.height()};
    update();
}

void PlotView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_) return;
    pressed_.reset();
    if (band_.isEmpty()) {
        if (const int stop = stopAt(event->position()); stop >= 0) choose(stop);
        return;
    }
    // Ignores a band as narrow as an accidental drag.
    constexpr double least = 4;
    const QRectF band = std::exchange(band_, {});
    if (band.width() >= least && band.height() >= least) zoomTo(band);
    update();
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* /*event*/) { showAll(); }

void PlotView::leaveEvent(QEvent* /*event*/) { readOut(-1, {}); }

void PlotView::wheelEvent(QWheelEvent* event) {
    constexpr double notch = 120, perNotch = 1.25, share = 0.1;
    const QPoint turned = event->angleDelta();
    const PlotFrame seen = frame();
    if (turned.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier))
        return look(x_.moved(-(turned.x() + turned.y()) / notch * x_.length() * share), y_);
    if (seen.area.contains(event->position()))
        zoomBy(std::pow(perNotch, turned.y() / notch), seen.value(event->position()));
}

// --- reading out ---

void PlotView::readOut(int stop, QPoint globalPlace) {
    if (stop < 0) QToolTip::hideText();
    else QToolTip::showText(globalPlace, tipOf(stop), this);
    if (stop == current_) return;
    current_ = stop;
    setAccessibleDescription(stop < 0 ? QString() : tipOf(stop));
    update();
}

/// By keyboard: scrolls it into view.
void PlotView::walkTo(int stop) {
    if (stop < 0 || stop >= stopCount()) return;
    const QPointF at = pointsOf(stop).front();
    const auto follow = [](const AxisRange& seen, double value) {
        return seen.contains(value) ? seen : seen.moved(value - seen.at(0.5));
    };
    look(follow(x_, at.x()), follow(y_, at.y()));
    readOut(stop, mapToGlobal(frame().place(at).toPoint()));
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    constexpr double step = 1.5;
    const QPointF centre = current_ >= 0 ? pointsOf(current_).front() : QPointF(x_.at(0.5), y_.at(0.5));
    switch (event->key()) {
        case Qt::Key_Left: return walkTo(stopBeside(current_, -1));
        case Qt::Key_Right: return walkTo(stopBeside(current_, 1));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (current_ >= 0) choose(current_);
            return;
        case Qt::Key_Escape: readOut(-1, {}); return showAll();
        case Qt::Key_Plus: return zoomBy(step, centre);
        case Qt::Key_Minus: return zoomBy(1 / step, centre);
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace aotscope
