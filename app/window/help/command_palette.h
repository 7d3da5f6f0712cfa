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
    /// Actions with this name are about an option: they rank below commands. If their data is true, the option takes a
    /// number, which may be typed after its name: "budget 0.3".
    static constexpr const char* kOption = "openOption";

    CommandPalette(std::vector<NamedAction> actions, QWidget* parent);

    QLineEdit* edit() const { return edit_; }
    QListWidget* list() const { return list_; }

Q_SIGNALS:
    /// The text matches no action: search nodes for it.
    void findRequested(const QString& text);
    /// A number for an option that takes one.
    void numberGiven(QAction* option, const QString& number);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void add(int action, const QString& number);
    void run();

    std::vector<NamedAction> actions_;
    QLineEdit* edit_;
    QListWidget* list_;
};

}  // namespace aotscope
