#include "window/lessons/guide_bubble.h"

#include "models/glossary.h"

#include <QAccessible>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kBubbleWidth = 400, kArrow = 12, kBubblePadding = 12;
constexpr double kBubbleRadius = 7;

/// Between `least` and `most`; `least` if they cross.
int limited(int value, int least, int most) { return std::max(least, std::min(value, most)); }

QString plainOf(const QString& markdown) {
    QTextDocument document;
    document.setMarkdown(markdown);
    return document.toPlainText().trimmed();
}

/// Ctrl+Enter.
bool asksForOffer(const QKeyEvent& key) {
    return (key.modifiers() & Qt::ControlModifier) && (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter);
}

}  // namespace

GuideBubble::GuideBubble(QWidget* window)
    : QFrame(window),
      title_(new QLabel(this)),
      text_(makeText()),
      more_(makeText()),
      place_(new QLabel(this)),
      choiceLayout_(new QVBoxLayout),
      offer_(new QPushButton(this)),
      back_(new QPushButton(tr("Back"), this)),
      further_(new QPushButton(this)),
      next_(new QPushButton(this)),
      dismiss_(new QPushButton(this)) {
    setObjectName(QStringLiteral("guideBubble"));
    setFocusPolicy(Qt::ClickFocus);
    setFixedWidth(kBubbleWidth + 2 * kArrow);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    offer_->setObjectName(QStringLiteral("guideOffer"));
    offer_->setToolTip(tr("Makes the change (Ctrl+Enter)"));
    back_->setObjectName(QStringLiteral("guideBack"));
    further_->setObjectName(QStringLiteral("guideFurther"));
    next_->setObjectName(QStringLiteral("guideNext"));
    dismiss_->setObjectName(QStringLiteral("guideDismiss"));
    next_->setToolTip(tr("Enter, while this note has the focus (Shift+F1)"));
    dismiss_->setToolTip(tr("Esc, while this note (Shift+F1), the graph or the scratch pad has the focus"));
    for (QLabel* part : {title_, place_}) part->setForegroundRole(QPalette::ToolTipText);
    for (QPushButton* button : {offer_, back_, further_, next_, dismiss_}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoDefault(true);  // Enter activates the focused button
    }
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(place_, 1);
    for (QPushButton* button : {dismiss_, back_, further_, next_}) buttons->addWidget(button);
    auto* layout = new QVBoxLayout(this);
    constexpr int margin = kArrow + kBubblePadding;
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(title_);
    layout->addWidget(text_);
    layout->addLayout(choiceLayout_);
    layout->addWidget(more_);
    layout->addWidget(offer_, 0, Qt::AlignLeft);
    layout->addLayout(buttons);
    connect(offer_, &QPushButton::clicked, this, &GuideBubble::offerTaken);
    connect(further_, &QPushButton::clicked, this, &GuideBubble::furtherAsked);
    connect(next_, &QPushButton::clicked, this, &GuideBubble::nextAsked);
    connect(back_, &QPushButton::clicked, this, &GuideBubble::backAsked);
    connect(dismiss_, &QPushButton::clicked, this, &GuideBubble::dismissed);
}

/// Links lead to the manual; terms of the glossary are explained under the pointer.
QLabel* GuideBubble::makeText() {
    auto* label = new QLabel(this);
    label->setTextFormat(Qt::MarkdownText);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::ToolTipText);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setFocusPolicy(Qt::NoFocus);
    connect(label, &QLabel::linkActivated, this, &GuideBubble::linkFollowed);
    connect(label, &QLabel::linkHovered, this, [label](const QString& place) {
        const GlossaryTerm* term = Glossary::instance().at(place);
        QToolTip::showText(QCursor::pos(), term ? term->tip() : QString(), label);
    });
    return label;
}

void GuideBubble::write(QLabel* label, const QString& markdown) {
    label->setText(markdown);
    label->setVisible(!markdown.isEmpty());
    const int width = kBubbleWidth - 2 * kBubblePadding;
    label->setMinimumHeight(0);  // of the previous text
    label->setFixedSize(width, markdown.isEmpty() ? 0 : label->heightForWidth(width));
}

void GuideBubble::say(const GuideWords& words) {
    title_->setText(words.title);
    write(text_, words.text);
    write(more_, {});
    makeChoices(words.choices);
    place_->setText(words.place);
    offer_->setText(words.offer);
    offer_->setVisible(!words.offer.isEmpty());
    next_->setText(words.next);
    next_->setEnabled(words.choices.isEmpty());
    back_->setVisible(!words.first);
    further_->setText(words.further);
    further_->setVisible(!words.further.isEmpty());
    dismiss_->setText(words.dismiss);
    dismiss_->setVisible(!words.dismiss.isEmpty());
    setAccessibleName(tr("%1: %2").arg(words.place, words.title));
    show();
    fit();
    announce(plainOf(words.text));
}

void GuideBubble::makeChoices(const QStringList& choices) {
    for (QPushButton* old : choices_) {
        old->hide();
        old->deleteLater();
    }
    choices_.clear();
    for (const QString& choice : choices) {
        auto* button = new QPushButton(tr("%1.  %2").arg(QString::number(choices_.size() + 1), choice), this);
        button->setObjectName(QStringLiteral("guideChoice"));
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoDefault(true);
        button->setStyleSheet(QStringLiteral("text-align: left; padding: 4px 8px"));
        const auto number = static_cast<int>(choices_.size());
        connect(button, &QPushButton::clicked, this, [this, number] { Q_EMIT chosen(number); });
        choiceLayout_->addWidget(button);
        button->show();
        choices_.push_back(button);
    }
}

void GuideBubble::answer(int chosen, int right, const QString& because) {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        QPushButton* button = choices_[i];
        const int number = static_cast<int>(i);
        if (number == right || number == chosen)
            button->setText((number == right ? QStringLiteral("✓  ") : QStringLiteral("✗  ")) +
                            button->text().section(QStringLiteral(".  "), 1));
        button->setEnabled(false);
    }
    const QString verdict = chosen == right ? tr("**Right.** ") : tr("**Not quite.** ");
    next_->setEnabled(true);
    write(more_, verdict + because);
    if (hadFocus) setFocus(Qt::OtherFocusReason);
    fit();
    announce(plainOf(verdict + because));
}

void GuideBubble::conclude(const QString& text) {
    const bool hadFocus = offer_->hasFocus();
    offer_->hide();
    write(more_, text);
    if (hadFocus) setFocus(Qt::OtherFocusReason);
    fit();
    announce(plainOf(text));
}

void GuideBubble::announce(const QString& text) {
    setAccessibleDescription(text);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

/// As high as its content, at the side where it stands.
void GuideBubble::fit() {
    layout()->activate();
    adjustSize();
    raise();
    if (!target_.isNull()) pointAt(target_, boxes_);
}

QRect GuideBubble::placeAt(Side side, const QRect& target) const {
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
    if (side != Side::below && side != Side::above)
        own.moveTop(limited(own.top(), window.top(), window.bottom() - height()));
    if (side != Side::right && side != Side::left)
        own.moveLeft(limited(own.left(), window.left(), window.right() - width()));
    return own;
}

/// Where it can stand, the usual places first.
std::vector<GuideBubble::Place> GuideBubble::placesFor(const QRect& target) const {
    std::vector<Place> places;
    // Beside small things; over large ones, so that nothing else is covered.
    if (target.width() <= 2 * width() || target.height() <= 2 * height())
        for (const Side side : {Side::below, Side::left, Side::right, Side::above})
            if (const QRect own = placeAt(side, target); parentWidget()->rect().contains(own))
                places.push_back({side, own});
    if (!places.empty()) return places;
    const QRect middle = placeAt(Side::within, target);
    places.push_back({Side::within, middle});
    const int right = std::min(target.right(), parentWidget()->rect().right()) - width();
    if (target.width() > 2 * width())
        for (const int left : {std::max(target.left(), 0), right})
            places.push_back({Side::within, QRect(QPoint(left, middle.top()), size())});
    return places;
}

void GuideBubble::pointAt(const QRect& target, const QList<QRect>& boxes) {
    target_ = target;
    boxes_ = boxes;
    const auto covered = [&](const Place& place) {
        qint64 area = 0;
        for (const QRect& box : boxes) {
            const QRect both = place.rect.intersected(box);
            if (!both.isEmpty()) area += static_cast<qint64>(both.width()) * both.height();
        }
        return area;
    };
    const std::vector<Place> places = placesFor(target);
    const Place& best = *std::ranges::min_element(places, {}, covered);
    side_ = best.side;
    const QRect own = best.rect;
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

void GuideBubble::paintEvent(QPaintEvent* /*event*/) {
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

/// Its keys are those of commands elsewhere.
bool GuideBubble::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int choice = key->key() - Qt::Key_1;
        const bool offered = offer_->isVisible() && asksForOffer(*key);
        if (offered || (choice >= 0 && choice < static_cast<int>(choices_.size()))) event->accept();
    }
    return QFrame::event(event);
}

void GuideBubble::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (asksForOffer(*event)) return offer_->isVisible() ? offer_->click() : void();
            if (next_->isEnabled()) Q_EMIT nextAsked();
            return;
        case Qt::Key_Escape: return Q_EMIT dismissed();
        default: break;
    }
    const int choice = event->key() - Qt::Key_1;
    if (choice < 0 || choice >= static_cast<int>(choices_.size())) return QFrame::keyPressEvent(event);
    choices_[static_cast<std::size_t>(choice)]->click();
}

}  // namespace aotscope
