#include "window/help/command_palette.h"

#include "window/help/command_words.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

namespace {

constexpr int kActionRole = Qt::UserRole, kNumberRole = Qt::UserRole + 1;
constexpr int kNoAction = -1;

/// Every word of the pattern begins one of `words`.
int scoreOfWords(const QString& pattern, const QStringList& words) {
    int least = kNoMatch;
    for (const QString& wanted : pattern.split(u' ', Qt::SkipEmptyParts)) {
        int best = kNoMatch;
        for (const QString& word : words)
            if (word.startsWith(wanted, Qt::CaseInsensitive)) best = std::max(best, fuzzyScore(wanted, word));
        if (best == kNoMatch) return kNoMatch;
        least = least == kNoMatch ? best : std::min(least, best);
    }
    return least;
}

bool isOption(const NamedAction& named) { return named.action->objectName() == QLatin1String(CommandPalette::kOption); }

/// A match of the name ranks above one of the menu path, and that above a synonym. Names of values have dashes.
int scoreOf(const QString& pattern, const NamedAction& named) {
    constexpr int way = 6, otherWord = 12, option = 24;
    int best = std::max(fuzzyScore(pattern, named.text), fuzzyScore(pattern, named.menu + u' ' + named.text) - way);
    if (isOption(named)) best = std::max(best, fuzzyScore(pattern, QString(named.text).replace(u'-', u' ')));
    const QStringList words = commandWords(named.action->objectName()).split(u' ', Qt::SkipEmptyParts);
    if (const int score = scoreOfWords(pattern, words); score > kNoMatch) best = std::max(best, score - otherWord);
    return isOption(named) ? best - option : best;
}

/// "budget 0.3": what stands before a number, and the number; empty if there is none.
std::pair<QString, QString> splitAtNumber(const QString& pattern) {
    const QString last = pattern.section(u' ', -1);
    bool isNumber = false;
    last.toDouble(&isNumber);
    const QString before = pattern.chopped(last.size()).trimmed();
    return isNumber && !before.isEmpty() ? std::pair(before, last) : std::pair<QString, QString>();
}

}  // namespace

CommandPalette::CommandPalette(std::vector<NamedAction> actions, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      actions_(std::move(actions)),
      edit_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
    constexpr int width = 560, height = 420, fromTop = 90;
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    edit_->setPlaceholderText(tr("What do you want to do?"));
    edit_->setAccessibleName(tr("Command"));
    list_->setAccessibleName(tr("Commands"));
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(edit_);
    layout->addWidget(list_);
    resize(width, height);
    if (parent) move(parent->mapToGlobal(QPoint((parent->width() - width) / 2, fromTop)));
    edit_->installEventFilter(this);
    connect(edit_, &QLineEdit::textChanged, this, &CommandPalette::refill);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
    refill();
}

void CommandPalette::refill() {
    const QString pattern = edit_->text().trimmed();
    const auto [option, number] = splitAtNumber(pattern);
    struct Found {
        int score = 0, action = 0;
        bool takesNumber = false;
    };
    std::vector<Found> found;  // best first, in the order of the menus
    for (int i = 0; i < static_cast<int>(actions_.size()); ++i) {
        const NamedAction& named = actions_[static_cast<std::size_t>(i)];
        if (const int score = scoreOf(pattern, named); score > kNoMatch) found.push_back({score, i});
        if (number.isEmpty() || !isOption(named) || !named.action->data().toBool()) continue;
        if (const int score = scoreOf(option, named); score > kNoMatch) found.push_back({score, i, true});
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Found::score);
    list_->clear();
    for (const Found& each : found) add(each.action, each.takesNumber ? number : QString());
    if (!pattern.isEmpty()) {
        auto* item = new QListWidgetItem(tr("Find nodes: %1").arg(pattern));
        item->setData(kActionRole, kNoAction);
        list_->addItem(item);
    }
    list_->setCurrentRow(0);
}

void CommandPalette::add(int action, const QString& number) {
    const NamedAction& named = actions_[static_cast<std::size_t>(action)];
    const QString keys = named.keys(),
                  text = number.isEmpty() ? named.text : named.text + QStringLiteral(": ") + number;
    auto* item = new QListWidgetItem(text + QStringLiteral("    ") + named.menu +
                                     (keys.isEmpty() ? QString() : QString(QStringLiteral("    ") + keys)));
    item->setData(kActionRole, action);
    item->setData(kNumberRole, number);
    item->setToolTip(named.action->statusTip());
    if (!named.action->isEnabled()) item->setForeground(palette().color(QPalette::PlaceholderText));
    list_->addItem(item);
}

void CommandPalette::run() {
    const QListWidgetItem* item = list_->currentItem();
    if (!item) return;
    const int index = item->data(kActionRole).toInt();
    const QString text = edit_->text().trimmed(), number = item->data(kNumberRole).toString();
    if (index != kNoAction && !actions_[static_cast<std::size_t>(index)].action->isEnabled()) return;
    accept();
    if (index == kNoAction) Q_EMIT findRequested(text);
    else if (!number.isEmpty()) Q_EMIT numberGiven(actions_[static_cast<std::size_t>(index)].action, number);
    else actions_[static_cast<std::size_t>(index)].action->trigger();
}

/// Up and Down control the list, whatever has the focus.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: QCoreApplication::sendEvent(list_, event); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: run(); return true;
        default: return QDialog::eventFilter(watched, event);
    }
}

}  // namespace aotscope
