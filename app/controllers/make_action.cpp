#include "controllers/make_action.h"

namespace aotscope {

namespace {

QAction* describedAction(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                         const QString& tip) {
    auto* action = new QAction(text, owner);
    action->setObjectName(name);
    action->setShortcuts(keys);
    action->setStatusTip(tip);
    // Qt's default tooltip of a button repeats its text.
    const QString key = keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key));
    return action;
}

}  // namespace

QAction* makeAction(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                    const QString& tip, const std::function<void()>& run) {
    QAction* action = describedAction(owner, name, text, keys, tip);
    QObject::connect(action, &QAction::triggered, owner, run);
    return action;
}

QAction* makeToggle(QObject* owner, const QString& name, const QString& text, const QList<QKeySequence>& keys,
                    const QString& tip, const std::function<void(bool)>& toggled) {
    QAction* action = describedAction(owner, name, text, keys, tip);
    action->setCheckable(true);
    QObject::connect(action, &QAction::toggled, owner, toggled);
    return action;
}

}  // namespace aotscope
