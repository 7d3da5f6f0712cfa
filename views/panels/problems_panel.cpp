#include "panels/problems_panel.h"

#include "models/words/to_qstring.h"
#include "support/names.h"
#include "support/quoted.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStyle>
#include <QTime>
#include <QVBoxLayout>

namespace aotscope {

ProblemsPanel::ProblemsPanel(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), list_(new QListWidget(this)) {
    list_->setObjectName(QStringLiteral("problems"));
    list_->setAccessibleName(tr("Problems"));
    list_->setWordWrap(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    auto* copyRows = new QAction(tr("Copy"), this);
    copyRows->setShortcut(QKeySequence::Copy);
    copyRows->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyRows, &QAction::triggered, this, [this] { copy(false); });
    auto* clearAction = new QAction(tr("Clear"), this);
    connect(clearAction, &QAction::triggered, this, &ProblemsPanel::clear);
    list_->addActions({copyRows, clearAction});
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 6);
    layout->setSpacing(4);
    top_ = makeTop();
    layout->addLayout(top_);
    layout->addWidget(list_);
    showCount();
}

QHBoxLayout* ProblemsPanel::makeTop() {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    auto* row = new QHBoxLayout;
    row->addWidget(title_, 1);
    const auto button = [&](const char* name, const QString& text, const QString& tip, const auto& act) {
        auto* tool = new QToolButton(this);
        tool->setObjectName(QLatin1String(name));
        tool->setText(text);
        tool->setToolTip(tip);
        tool->setAutoRaise(true);
        tool->setFocusPolicy(Qt::StrongFocus);
        connect(tool, &QToolButton::clicked, this, act);
        row->addWidget(tool);
    };
    button("copyProblems", tr("Copy All"), tr("Copies all lines as text"), [this] { copy(true); });
    button("clearProblems", tr("Clear"), tr("Empties the list"), [this] { clear(); });
    button("closeProblems", tr("Close"), tr("Closes the list (Esc)"), [this] { Q_EMIT closeRequested(); });
    return row;
}

void ProblemsPanel::add(Kind kind, const QString& said) {
    const QString text = kind == Kind::information ? said : QString::fromStdString(oneLine(said.toStdString()));
    const auto icon = kind == Kind::error     ? QStyle::SP_MessageBoxCritical
                      : kind == Kind::warning ? QStyle::SP_MessageBoxWarning
                                              : QStyle::SP_MessageBoxInformation;
    auto* item = new QListWidgetItem(style()->standardIcon(icon),
                                     QTime::currentTime().toString(QStringLiteral("hh:mm:ss  ")) + text);
    list_->addItem(item);
    list_->scrollToItem(item);
    problems_ += kind == Kind::information ? 0 : 1;
    showCount();
    Q_EMIT added(kind, text);
    if (kind != Kind::information) Q_EMIT raised();
}

void ProblemsPanel::takeFocus() {
    QWidget* part = count() > 0 ? static_cast<QWidget*>(list_) : findChild<QWidget*>(QStringLiteral("closeProblems"));
    part->setFocus(Qt::OtherFocusReason);
}

void ProblemsPanel::offer(QAction* action) {
    auto* tool = new QToolButton(this);
    tool->setObjectName(QStringLiteral("offered"));
    tool->setDefaultAction(action);
    tool->setFocusPolicy(Qt::StrongFocus);
    top_->insertWidget(1, tool);
    tool->setVisible(action->isEnabled());
    connect(action, &QAction::changed, tool, [tool, action] { tool->setVisible(action->isEnabled()); });
}

void ProblemsPanel::clear() {
    list_->clear();
    problems_ = 0;
    showCount();
}

void ProblemsPanel::showCount() {
    const auto notes = static_cast<std::size_t>(count() - problems_);
    QStringList parts;
    if (problems_ > 0) parts << toQString(counted(static_cast<std::size_t>(problems_), "problem"));
    if (notes > 0) parts << toQString(counted(notes, "note"));
    title_->setText(parts.isEmpty() ? tr("No problems") : parts.join(QStringLiteral(", ")));
    list_->setVisible(count() > 0);
    Q_EMIT countChanged();
}

QString ProblemsPanel::lastText() const { return list_->count() ? list_->item(list_->count() - 1)->text() : QString(); }

void ProblemsPanel::copy(bool all) {
    QStringList lines;
    const auto selected = list_->selectedItems();
    for (int i = 0; i < list_->count(); ++i)
        if (all || selected.isEmpty() || selected.contains(list_->item(i))) lines << list_->item(i)->text();
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

}  // namespace aotscope
