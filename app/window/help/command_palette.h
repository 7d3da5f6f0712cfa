#pragma once

#include "controllers/action_list.h"

#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

namespace aotscope {

/// Finds actions of the menus, and options of a run, by a few letters of their names.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    /// Actions with this name open an option: they rank below commands.
    static constexpr const char* kOption = "openOption";

    CommandPalette(std::vector<NamedAction> actions, QWidget* parent);

    QLineEdit* edit() const { return edit_; }
    QListWidget* list() const { return list_; }

Q_SIGNALS:
    /// The text matches no action: search nodes for it.
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
