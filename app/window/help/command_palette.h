#pragma once

#include "controllers/action_list.h"

#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

namespace aotscope {

/// Every action of the menus, found by a few letters of its name.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(std::vector<NamedAction> actions, QWidget* parent);

    QLineEdit* edit() const { return edit_; }
    QListWidget* list() const { return list_; }

Q_SIGNALS:
    /// What was typed is no action: nodes are looked for.
    void findRequested(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void run();

    std::vector<NamedAction> actions_;
    QLineEdit* edit_;
    QListWidget* list_;
};

}  // namespace aotscope
