#include "panels/pass_slider.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

constexpr double kMargin = 46, kTrack = 13, kThumb = 7, kTick = 4.5;

}  // namespace

PassSlider::PassSlider(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("passSlider"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setWhatsThis(tr("Left and Right move the later end, Shift+Left and Shift+Right the earlier one."));
}

QSize PassSlider::sizeHint() const { return {600, static_cast<int>(kTrack + kThumb) + fontMetrics().height() + 8}; }
QSize PassSlider::minimumSizeHint() const { return {240, sizeHint().height()}; }

void PassSlider::setStops(const QStringList& titles) {
    titles_ = titles;
    ticks_.clear();
    tips_.clear();
    from_ = 0;
    to_ = std::max(0, stops() - 1);
    describe();
}

void PassSlider::setRange(int from, int to) {
    const int last = std::max(0, stops() - 1);
    from_ = std::clamp(std::min(from, to), 0, last);
    to_ = std::clamp(std::max(from, to), 0, last);
    describe();
}

void PassSlider::setTicks(std::vector<std::optional<QColor>> colours, const QStringList& tips) {
    ticks_ = std::move(colours);
    tips_ = tips;
    update();
}

void PassSlider::describe() {
    if (stops() > 0) setAccessibleName(tr("Difference from %1 to %2").arg(titles_[from_], titles_[to_]));
    update();
}

double PassSlider::positionOf(int stop) const {
    return stops() < 2 ? width() / 2.0 : kMargin + (width() - 2 * kMargin) * stop / (stops() - 1);
}

int PassSlider::stopAt(double x) const {
    if (stops() < 2) return 0;
    const double step = (width() - 2 * kMargin) / (stops() - 1);
    return std::clamp(static_cast<int>(std::lround((x - kMargin) / step)), 0, stops() - 1);
}

void PassSlider::move(bool left, int stop) {
    const int from = left ? std::min(stop, to_) : from_, to = left ? to_ : std::max(stop, from_);
    if (from == from_ && to == to_) return;
    setRange(from, to);
    Q_EMIT rangeChanged(from_, to_);
}

void PassSlider::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (stops() == 0) return;
    const QColor faint = palette().color(QPalette::PlaceholderText), strong = palette().color(QPalette::Highlight);
    painter.setPen(QPen(faint, 2));
    painter.drawLine(QPointF(positionOf(0), kTrack), QPointF(positionOf(stops() - 1), kTrack));
    painter.setPen(QPen(strong, 4));
    painter.drawLine(QPointF(positionOf(from_), kTrack), QPointF(positionOf(to_), kTrack));
    const double room = stops() < 2 ? width() : positionOf(1) - positionOf(0) - 8;
    for (int i = 0; i < stops(); ++i) {
        const QPointF at(positionOf(i), kTrack);
        const auto tick =
            static_cast<std::size_t>(i) < ticks_.size() ? ticks_[static_cast<std::size_t>(i)] : std::nullopt;
        const bool thumb = i == from_ || i == to_;
        painter.setPen(QPen(thumb ? strong : faint, thumb ? 2.5 : 1.2));
        painter.setBrush(
            tick.value_or(palette().color(thumb && ticks_.empty() ? QPalette::Highlight : QPalette::Base)));
        const double radius = thumb ? kThumb : kTick;
        painter.drawEllipse(at, radius, radius);
        painter.setPen(palette().color(thumb ? QPalette::WindowText : QPalette::PlaceholderText));
        const QRectF place(at.x() - room / 2, kTrack + kThumb + 3, room, fontMetrics().height());
        painter.drawText(place, Qt::AlignCenter,
                         fontMetrics().elidedText(titles_[i], Qt::ElideRight, static_cast<int>(room)));
    }
    if (hasFocus()) {
        painter.setPen(QPen(strong, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

/// Moves the nearer thumb; of two at one place, the one on that side.
void PassSlider::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x(), left = std::abs(x - positionOf(from_)),
                 right = std::abs(x - positionOf(to_));
    leftIsHeld_ = left < right || (left == right && x < positionOf(from_));
    move(leftIsHeld_, stopAt(x));
}

void PassSlider::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) move(leftIsHeld_, stopAt(event->position().x()));
}

void PassSlider::keyPressEvent(QKeyEvent* event) {
    const bool left = event->modifiers() & Qt::ShiftModifier;
    const int now = left ? from_ : to_;
    switch (event->key()) {
        case Qt::Key_Left: return move(left, std::max(0, now - 1));
        case Qt::Key_Right: return move(left, std::min(stops() - 1, now + 1));
        default: QWidget::keyPressEvent(event);
    }
}

bool PassSlider::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && stops() > 0) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int stop = stopAt(help->pos().x());
        QToolTip::showText(help->globalPos(), titles_[stop] + (stop < tips_.size() ? u'\n' + tips_[stop] : QString()),
                           this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace aotscope
