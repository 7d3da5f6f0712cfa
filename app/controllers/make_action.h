#pragma once

#include <QAction>

#include <functional>

namespace aotscope {

/// An action of `owner` that calls `run` when it is triggered. `name` is what tests and the menus' code find it by.
QAction* makeAction(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                    const QString& tip, const std::function<void()>& run);
/// One that is on or off: `toggled` is called whenever that changes, by a person or not.
QAction* makeToggle(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                    const QString& tip, const std::function<void(bool)>& toggled);

}  // namespace aotscope
