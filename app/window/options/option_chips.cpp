#include "window/options/option_chips.h"

#include "models/words/to_qstring.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kGap = 4, kCorner = 5;
constexpr int kLongestChip = 240;

QToolButton* flatButton(const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setAutoRaise(true);
    return button;
}

}  // namespace

// --- one chip ---

OptionChip::OptionChip(const ChosenOption& option, QWidget* parent) : QWidget(parent), removable_(option.removable) {
    setObjectName(QStringLiteral("chip"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kCorner, 1, 1, 1);
    layout->setSpacing(0);
    QToolButton* words = flatButton(fontMetrics().elidedText(option.text, Qt::ElideMiddle, kLongestChip), this);
    words->setToolTip(tr("%1\nNot the default. Click to see it among all options").arg(option.text));
    words->setAccessibleName(option.text);
    connect(words, &QToolButton::clicked, this, &OptionChip::opened);
    layout->addWidget(words);
    setFocusProxy(words);
    if (!removable_) return;
    QToolButton* cross = flatButton(QStringLiteral("×"), this);
    const QString what = tr("Reset %1").arg(toQString(option.entry->label));
    cross->setToolTip(what);
    cross->setAccessibleName(what);
    connect(cross, &QToolButton::clicked, this, &OptionChip::removed);
    layout->addWidget(cross);
}

void OptionChip::keyPressEvent(QKeyEvent* event) {
    if (removable_ && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)) Q_EMIT removed();
    else QWidget::keyPressEvent(event);
}

void OptionChip::paintEvent(QPaintEvent* /*event*/) {
    constexpr int faint = 80;
    constexpr double half = 0.5;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor edge = palette().color(QPalette::ButtonText);
    edge.setAlpha(faint);
    painter.setPen(edge);
    painter.setBrush(palette().color(QPalette::Button));
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), kCorner, kCorner);
}

// --- the row ---

ChipRow::ChipRow(OptionsPopover* options, QWidget* parent)
    : QWidget(parent), options_(options), more_(flatButton({}, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    more_->setObjectName(QStringLiteral("moreChips"));
    more_->setMenu(new QMenu(more_));
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setToolTip(tr("Further options that are not as they are by default"));
    more_->hide();
}

bool ChipRow::refresh() {
    std::vector<ChosenOption> chosen = options_->chosen();
    const auto same = [](const ChosenOption& a, const ChosenOption& b) {
        return a.entry == b.entry && a.text == b.text && a.removable == b.removable;
    };
    if (std::ranges::equal(chosen, chosen_, same)) return !chosen_.empty();
    chosen_ = std::move(chosen);
    const bool hadFocus =
        std::ranges::any_of(chips_, [](auto* chip) { return chip->isAncestorOf(QApplication::focusWidget()); });
    for (OptionChip* chip : chips_) {
        chip->hide();
        chip->deleteLater();  // its cross may have been clicked
    }
    chips_.clear();
    for (const ChosenOption& option : chosen_) {
        auto* chip = new OptionChip(option, this);
        connect(chip, &OptionChip::opened, this, [this, entry = option.entry] { options_->openAt(*entry); });
        connect(chip, &OptionChip::removed, this, [this, entry = option.entry] { options_->reset(*entry); });
        chips_.push_back(chip);
    }
    updateGeometry();
    arrange();
    if (hadFocus && !chips_.empty()) chips_.front()->setFocus(Qt::OtherFocusReason);
    return !chosen_.empty();
}

QSize ChipRow::sizeHint() const {
    QSize size(0, more_->sizeHint().height());
    for (const OptionChip* chip : chips_) {
        size.setHeight(std::max(size.height(), chip->sizeHint().height()));
        size.rwidth() += chip->sizeHint().width() + kGap;
    }
    return size;
}

void ChipRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ChipRow::arrange() {
    // Including the button, once not all fit.
    const bool all = sizeHint().width() <= width();
    more_->setText(tr("+%1").arg(chips_.size()));
    const int place = all ? width() : width() - more_->sizeHint().width();
    int x = 0;
    std::size_t fitting = 0;
    for (; fitting < chips_.size(); ++fitting) {
        const QSize size = chips_[fitting]->sizeHint();
        if (!all && x + size.width() > place) break;
        chips_[fitting]->setGeometry(x, (height() - size.height()) / 2, size.width(), size.height());
        x += size.width() + kGap;
    }
    for (std::size_t i = 0; i < chips_.size(); ++i) chips_[i]->setVisible(i < fitting);
    more_->setVisible(fitting < chips_.size());
    if (fitting == chips_.size()) return;
    more_->setText(tr("+%1").arg(chips_.size() - fitting));
    more_->setGeometry(x, (height() - more_->sizeHint().height()) / 2, more_->sizeHint().width(),
                       more_->sizeHint().height());
    listHidden(fitting);
}

void ChipRow::listHidden(std::size_t first) {
    more_->menu()->clear();
    for (std::size_t i = first; i < chosen_.size(); ++i)
        more_->menu()->addAction(chosen_[i].text, this, [this, entry = chosen_[i].entry] { options_->openAt(*entry); });
}

OptionChips::OptionChips(OptionsPopover* options, QWidget* parent)
    : QToolBar(tr("Changed Options"), parent), row_(new ChipRow(options, this)) {
    setObjectName(QStringLiteral("optionChips"));
    setMovable(false);
    toggleViewAction()->setVisible(false);  // it is shown and hidden automatically
    addWidget(row_);
    connect(options, &OptionsPopover::shown, this, &OptionChips::refresh);
    // A restored arrangement may be for other options.
    connect(this, &QToolBar::visibilityChanged, this, &OptionChips::refresh, Qt::QueuedConnection);
    refresh();
}

void OptionChips::refresh() {
    const bool some = row_->refresh();
    if (isHidden() == some) setVisible(some);
}

}  // namespace aotscope
