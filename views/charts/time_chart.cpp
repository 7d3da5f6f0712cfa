#include "charts/time_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace aotscope {

TimeChart::TimeChart(QWidget* parent) : ChartWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void TimeChart::setPicture(TimePicture picture) {
    picture_ = std::move(picture);
    current_ = -1;
    setMinimumHeight(static_cast<int>(std::ceil(TimeFrame::heightOf(picture_))));
    showAll();
}

void TimeChart::link(TimeChart* a, TimeChart* b) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
        connect(from, &TimeChart::seenChanged, to, &TimeChart::setSeen);
        connect(from, &TimeChart::hovered, to, &TimeChart::setHover);
    }
}

void TimeChart::follow(NodeId node, GraphKind graph) {
    const int bar = picture_.barOf(node, graph);
    const auto stands = [&](int b) {
        const auto& nodes = picture_.bars[static_cast<std::size_t>(b)].nodes;
        return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    if (current_ >= 0 && bar >= 0 && stands(current_)) return;  // its module was chosen
    current_ = bar;
    update();
}

TimeFrame TimeChart::frame() const { return {seen_, QRectF(rect()), picture_.rows(), !picture_.memory.empty()}; }

void TimeChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTimes(painter, picture_, frame(), theme_, current_);
    if (!hover_ || !seen_.contains(*hover_)) return;
    painter.setPen(QPen(theme_.selection, 1, Qt::DashLine));
    const double x = frame().x(*hover_);
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
}

int TimeChart::barAt(QPointF place) const {
    const TimeFrame seen = frame();
    const int row = static_cast<int>(std::floor((place.y() - TimeFrame::kAxis) / TimeFrame::kRow));
    const double time = seen.time(place.x());
    for (std::size_t i = 0; i < picture_.bars.size(); ++i)
        if (const TimeBar& bar = picture_.bars[i]; bar.row == row && bar.start <= time && time < bar.end())
            return static_cast<int>(i);
    return -1;
}

void TimeChart::choose(int bar) {
    if (bar < 0) return;
    current_ = bar;
    const TimeBar& chosen = picture_.bars[static_cast<std::size_t>(bar)];
    if (chosen.end() <= seen_.low || chosen.start >= seen_.high) look(seen_.moved(chosen.start - seen_.low));
    setAccessibleDescription(chosen.tip);
    update();
    Q_EMIT barChosen(bar);
}

void TimeChart::look(const AxisRange& range) {
    setSeen(range);
    Q_EMIT seenChanged(seen_);
}

void TimeChart::hover(std::optional<double> time) {
    setHover(time);
    Q_EMIT hovered(time);
}

void TimeChart::setSeen(const AxisRange& range) {
    constexpr double shortest = 1e-2;
    seen_ = range.within(AxisRange::spanning(0, picture_.length()), shortest);
    update();
}

void TimeChart::setHover(std::optional<double> time) {
    hover_ = time;
    update();
}

void TimeChart::showBar(int bar) {
    const TimeBar& shown = picture_.bars[static_cast<std::size_t>(bar)];
    look({shown.start, shown.end()});
}

void TimeChart::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(barAt(event->position()));
}

void TimeChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const int bar = barAt(event->position());
    if (bar < 0) return showAll();
    showBar(bar);
}

void TimeChart::mouseMoveEvent(QMouseEvent* event) {
    if (!picture_.bars.empty()) hover(frame().time(event->position().x()));
    const int bar = barAt(event->position());
    if (bar < 0) return QToolTip::hideText();
    QToolTip::showText(event->globalPosition().toPoint(), picture_.bars[static_cast<std::size_t>(bar)].tip, this);
}

void TimeChart::leaveEvent(QEvent* event) {
    hover(std::nullopt);
    QWidget::leaveEvent(event);
}

void TimeChart::wheelEvent(QWheelEvent* event) {
    constexpr double notch = 120, perNotch = 1.25;
    const QPoint turned = event->angleDelta();
    if (turned.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier))
        return look(seen_.moved(-(turned.x() + turned.y()) / notch * seen_.length() / 10));
    look(seen_.zoomed(std::pow(perNotch, turned.y() / notch), frame().time(event->position().x())));
}

/// Up: the one around it; Down: the first one in it; Left and Right: the next in its row.
int TimeChart::neighbour(int key) const {
    const auto& bars = picture_.bars;
    if (bars.empty()) return -1;
    if (current_ < 0) return 0;
    const TimeBar& from = bars[static_cast<std::size_t>(current_)];
    if (key == Qt::Key_Up) return from.around;
    int found = -1;
    for (int i = 0; i < static_cast<int>(bars.size()); ++i) {
        const TimeBar& bar = bars[static_cast<std::size_t>(i)];
        if (key == Qt::Key_Down && bar.around == current_) return i;
        if (bar.row != from.row || key == Qt::Key_Down) continue;
        if (key == Qt::Key_Left && i < current_) found = i;
        if (key == Qt::Key_Right && i > current_) return i;
    }
    return found;
}

void TimeChart::keyPressEvent(QKeyEvent* event) {
    constexpr double step = 1.5;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down: return choose(neighbour(event->key()));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (current_ >= 0) showBar(current_);
            return;
        case Qt::Key_Escape: return showAll();
        case Qt::Key_Plus: return look(seen_.zoomed(step, seen_.at(0.5)));
        case Qt::Key_Minus: return look(seen_.zoomed(1 / step, seen_.at(0.5)));
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace aotscope
