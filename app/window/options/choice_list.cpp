#include "window/options/choice_list.h"

#include <QKeyEvent>

namespace aotscope {

ChoiceList::ChoiceList(QWidget* parent) : QListWidget(parent) {
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setCursor(Qt::PointingHandCursor);
    viewport()->setBackgroundRole(QPalette::Window);
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { Q_EMIT chosen(choiceOf(*item)); });
}

QListWidgetItem* ChoiceList::add(const QString& text, const QString& choice, const QString& tip) {
    auto* item = new QListWidgetItem(text, this);
    item->setData(Qt::UserRole, choice);
    item->setToolTip(tip);
    return item;
}

void ChoiceList::setVisibleRows(int rows) {
    rows_ = rows;
    const int height = std::max(sizeHintForRow(0), fontMetrics().height());
    setMaximumHeight(count() * height + 2);
    setMinimumHeight(std::min(rows, count()) * height + 2);
}

void ChoiceList::changeEvent(QEvent* event) {
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && rows_ > 0) setVisibleRows(rows_);
}

void ChoiceList::keyPressEvent(QKeyEvent* event) {
    const bool chooses =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (chooses && currentItem()) Q_EMIT chosen(choiceOf(*currentItem()));
    else QListWidget::keyPressEvent(event);
}

}  // namespace aotscope
