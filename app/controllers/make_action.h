#pragma once

#include <QAction>

#include <functional>

namespace aotscope {

/// An action of `owner` that calls `run` when triggered. Tests and menus find it by `name`.
QAction* makeAction(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                    const QString& tip, const std::function<void()>& run);
/// A checkable action: `toggled` is called whenever its state changes, also by code.
QAction* makeToggle(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                    const QString& tip, const std::function<void(bool)>& toggled);

}  // namespace aotscope
