#include "charts/time_chart.h"

#include <QApplication>
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
    setRange(std::nullopt);
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
    if (range_) {
        const double left = frame().x(range_->low), right = frame().x(range_->high);
        paintMarked(painter, {left, 0, right - left, height() - 1.0}, theme_);
    }
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

// --- ranges ---

std::vector<int> TimeChart::barsInRange() const {
    std::vector<int> bars;
    for (int i = 0; range_ && i < static_cast<int>(picture_.bars.size()); ++i) {
        const TimeBar& bar = picture_.bars[static_cast<std::size_t>(i)];
        if (bar.kind == TimeBar::Kind::operation && range_->contains(bar.start + bar.length / 2)) bars.push_back(i);
    }
    return bars;
}

void TimeChart::setRange(std::optional<AxisRange> range) {
    range_ = range;
    if (!range_) anchor_ = head_ = -1;
    update();
}

void TimeChart::dragTo(QPointF place) {
    if (!dragging_ && (place - *pressed_).manhattanLength() < QApplication::startDragDistance()) return;
    dragging_ = true;
    anchor_ = head_ = -1;
    const AxisRange whole = AxisRange::spanning(0, picture_.length());
    const double from = frame().time(pressed_->x()), to = frame().time(place.x());
    setRange(AxisRange::spanning(std::clamp(std::min(from, to), whole.low, whole.high),
                                 std::clamp(std::max(from, to), whole.low, whole.high)));
}

/// Adds the next operation in a direction, or takes the last one back. The first one is the current bar, or in it.
void TimeChart::stretchRange(int direction) {
    std::vector<int> operations;
    for (int i = 0; i < static_cast<int>(picture_.bars.size()); ++i)
        if (picture_.bars[static_cast<std::size_t>(i)].kind == TimeBar::Kind::operation) operations.push_back(i);
    if (operations.empty()) return;
    const auto barOf = [this](int bar) -> const TimeBar& { return picture_.bars[static_cast<std::size_t>(bar)]; };
    std::ranges::stable_sort(operations, {}, [&](int bar) { return barOf(bar).start; });
    if (anchor_ < 0) {
        const double from = range_ ? range_->low : current_ >= 0 ? barOf(current_).start : seen_.low;
        const auto first = std::ranges::find_if(operations, [&](int bar) { return barOf(bar).end() > from; });
        anchor_ = head_ = first == operations.end() ? operations.back() : *first;
    } else {
        const auto at = std::ranges::find(operations, head_) - operations.begin() + direction;
        head_ = operations[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(operations) - 1))];
    }
    const TimeBar &one = barOf(anchor_), &other = barOf(head_);
    setRange(AxisRange::spanning(std::min(one.start, other.start), std::max(one.end(), other.end())));
    if (!seen_.contains(other.start)) look(seen_.moved(other.start - seen_.at(0.5)));
    Q_EMIT rangeChanged();
}

// --- mouse ---

void TimeChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) pressed_ = event->position();
}

void TimeChart::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressed_.reset();
    const bool dragged = std::exchange(dragging_, false), had = range_.has_value();
    if (!dragged) {
        clearRange();
        choose(barAt(event->position()));
    }
    if (dragged || had) Q_EMIT rangeChanged();
}

void TimeChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const int bar = barAt(event->position());
    if (bar < 0) return showAll();
    showBar(bar);
}

void TimeChart::mouseMoveEvent(QMouseEvent* event) {
    if (!picture_.bars.empty()) hover(frame().time(event->position().x()));
    if (ranges_ && pressed_ && event->buttons().testFlag(Qt::LeftButton)) dragTo(event->position());
    if (dragging_) return QToolTip::hideText();
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
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (ranges_ && sideways && event->modifiers().testFlag(Qt::ShiftModifier))
        return stretchRange(event->key() == Qt::Key_Left ? -1 : 1);
    if (range_ && event->key() == Qt::Key_Escape) {
        clearRange();
        Q_EMIT rangeChanged();
        return;
    }
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
