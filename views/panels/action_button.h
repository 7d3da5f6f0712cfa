#pragma once

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

namespace aotscope {

/// A button for `action` in `row`, directly after `before`.
inline void addActionButton(QHBoxLayout* row, QWidget* before, QAction* action) {
    auto* button = new QToolButton(before->parentWidget());
    button->setDefaultAction(action);
    row->insertWidget(row->indexOf(before) + 1, button);
}

}  // namespace aotscope
