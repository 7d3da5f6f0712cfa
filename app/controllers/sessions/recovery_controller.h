#pragma once

#include "controllers/sessions/recovery_dialog.h"
#include "controllers/settings.h"

#include <QAction>
#include <QPointer>

#include <functional>

namespace aotscope {

/// Offers what earlier windows lost. Never replaces what is open.
class RecoveryController : public QObject {
    Q_OBJECT

public:
    /// `isFree`: whether the window shows and opens nothing, so that a lost session may be opened in it.
    RecoveryController(QWidget* window, std::function<bool()> isFree);

    QAction* action() const { return action_; }
    /// At start: shows the dialog if there is something new.
    void offer();
    void show();

Q_SIGNALS:
    void openRequested(const QString& file);
    void openElsewhereRequested(const QString& file);

private:
    void showDialog(std::vector<Loss> losses);
    void recover(const QStringList& files);
    void discard(const std::vector<Loss>& losses);
    void markSeen();

    QWidget* window_;
    std::function<bool()> isFree_;
    QAction* action_;
    Settings settings_;
    QPointer<RecoveryDialog> dialog_;
};

}  // namespace aotscope
