#include "window/tour/tour_bubble.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr int kBubbleWidth = 360, kArrow = 12, kBubblePadding = 12;
constexpr double kBubbleRadius = 7;

/// Between `least` and `most`; `least` if they cross.
int limited(int value, int least, int most) { return std::max(least, std::min(value, most)); }

}  // namespace

TourBubble::TourBubble(QWidget* window)
    : QFrame(window),
      title_(new QLabel(this)),
      text_(new QLabel(this)),
      place_(new QLabel(this)),
      back_(new QPushButton(tr("Back"), this)),
      next_(new QPushButton(this)),
      dismiss_(new QPushButton(tr("Dismiss"), this)) {
    setObjectName(QStringLiteral("tourBubble"));
    setFocusPolicy(Qt::ClickFocus);
    setFixedWidth(kBubbleWidth + 2 * kArrow);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    text_->setWordWrap(true);
    back_->setObjectName(QStringLiteral("tourBack"));
    next_->setObjectName(QStringLiteral("tourNext"));
    dismiss_->setObjectName(QStringLiteral("tourDismiss"));
    next_->setToolTip(tr("Enter, while the tour has the focus (Shift+F1)"));
    dismiss_->setToolTip(tr("Esc, while the tour (Shift+F1) or the graph has the focus"));
    for (QWidget* part : std::initializer_list<QWidget*>{title_, text_, place_})
        part->setForegroundRole(QPalette::ToolTipText);
    for (QPushButton* button : {back_, next_, dismiss_}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoDefault(true);  // Enter activates the focused button
    }
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(place_, 1);
    buttons->addWidget(dismiss_);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* layout = new QVBoxLayout(this);
    constexpr int margin = kArrow + kBubblePadding;
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(title_);
    layout->addWidget(text_);
    layout->addLayout(buttons);
    connect(next_, &QPushButton::clicked, this, &TourBubble::nextAsked);
    connect(back_, &QPushButton::clicked, this, &TourBubble::backAsked);
    connect(dismiss_, &QPushButton::clicked, this, &TourBubble::dismissed);
}

void TourBubble::say(const QString& title, const QString& text, const QString& place, bool first, bool last) {
    title_->setText(title);
    text_->setText(text);
    place_->setText(place);
    next_->setText(last ? tr("Done") : tr("Next"));
    back_->setVisible(!first);
    dismiss_->setVisible(!last);
    setAccessibleName(tr("Tour, %1: %2").arg(place, title));
    setAccessibleDescription(text);
    const int width = kBubbleWidth - 2 * kBubblePadding;
    text_->setFixedSize(width, text_->heightForWidth(width));
    adjustSize();
    show();
    raise();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QRect TourBubble::placeAt(Side side, const QRect& target) const {
    QRect own(QPoint(), size());
    const QPoint middle = target.center();
    switch (side) {
        case Side::right: own.moveTo(target.right(), middle.y() - height() / 2); break;
        case Side::left: own.moveTo(target.left() - width(), middle.y() - height() / 2); break;
        case Side::below: own.moveTo(middle.x() - width() / 2, target.bottom()); break;
        case Side::above: own.moveTo(middle.x() - width() / 2, target.top() - height()); break;
        case Side::within: own.moveTo(middle.x() - width() / 2, target.bottom() - height() - kArrow); break;
    }
    // It may be moved along the side where it stands.
    const QRect window = parentWidget()->rect();
    if (side == Side::right || side == Side::left)
        own.moveTop(limited(own.top(), window.top(), window.bottom() - height()));
    else own.moveLeft(limited(own.left(), window.left(), window.right() - width()));
    return own;
}

void TourBubble::pointAt(const QRect& target) {
    const QRect window = parentWidget()->rect();
    // Beside small things; over large ones, so that nothing else is covered.
    const bool large = target.width() > 2 * width() && target.height() > 2 * height();
    side_ = Side::within;
    for (const Side side : {Side::below, Side::left, Side::right, Side::above})
        if (side_ == Side::within && !large && window.contains(placeAt(side, target))) side_ = side;
    const QRect own = placeAt(side_, target);
    setGeometry(own);
    const QPoint middle = target.center() - own.topLeft();
    const int x = limited(middle.x(), 3 * kArrow, width() - 3 * kArrow),
              y = limited(middle.y(), 3 * kArrow, height() - 3 * kArrow);
    switch (side_) {
        case Side::right: tip_ = {0, y}; break;
        case Side::left: tip_ = {width(), y}; break;
        case Side::below: tip_ = {x, 0}; break;
        case Side::above: tip_ = {x, height()}; break;
        case Side::within: tip_ = {x, 0}; break;  // up, at what is above it
    }
    update();
}

void TourBubble::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shape;
    const QRectF body = QRectF(rect()).adjusted(kArrow, kArrow, -kArrow, -kArrow);
    shape.addRoundedRect(body, kBubbleRadius, kBubbleRadius);
    const QPointF tip(tip_);
    const bool sideways = side_ == Side::left || side_ == Side::right;
    const QPointF base(limited(tip_.x(), kArrow + 1, width() - kArrow - 1),
                       limited(tip_.y(), kArrow + 1, height() - kArrow - 1));
    const QPointF half = sideways ? QPointF(0, kArrow) : QPointF(kArrow, 0);
    QPainterPath arrow;
    arrow.addPolygon(QPolygonF{tip, base + half, base - half, tip});
    painter.setBrush(palette().toolTipBase());
    painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), hasFocus() ? 2 : 1));
    painter.drawPath(shape.united(arrow));
}

void TourBubble::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter: return Q_EMIT nextAsked();
        case Qt::Key_Escape: return Q_EMIT dismissed();
        default: QFrame::keyPressEvent(event);
    }
}

}  // namespace aotscope
