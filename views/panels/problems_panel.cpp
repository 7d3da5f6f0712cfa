#include "panels/problems_panel.h"

#include "support/quoted.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStyle>
#include <QTime>
#include <QVBoxLayout>

namespace aotscope {

ProblemsPanel::ProblemsPanel(QWidget* parent) : QWidget(parent), list_(new QListWidget(this)) {
    list_->setObjectName(QStringLiteral("problems"));
    list_->setAccessibleName(tr("Problems"));
    list_->setWordWrap(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    auto* copy = new QAction(tr("Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &ProblemsPanel::copyAll);
    auto* clearAction = new QAction(tr("Clear"), this);
    connect(clearAction, &QAction::triggered, this, &ProblemsPanel::clear);
    list_->addActions({copy, clearAction});
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(list_);
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
    if (kind != Kind::information) Q_EMIT raised();
}

void ProblemsPanel::clear() { list_->clear(); }

QString ProblemsPanel::lastText() const { return list_->count() ? list_->item(list_->count() - 1)->text() : QString(); }

void ProblemsPanel::copyAll() {
    QStringList lines;
    const auto selected = list_->selectedItems();
    for (int i = 0; i < list_->count(); ++i)
        if (selected.isEmpty() || selected.contains(list_->item(i))) lines << list_->item(i)->text();
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

}  // namespace aotscope
