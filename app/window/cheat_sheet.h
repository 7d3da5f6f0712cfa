#pragma once

#include "controllers/action_list.h"

#include <QDialog>
#include <QTextBrowser>

namespace aotscope {

/// All keys, by menu, with a line to filter them; made from the actions themselves.
class CheatSheet : public QDialog {
    Q_OBJECT

public:
    CheatSheet(std::vector<NamedAction> actions, QWidget* parent);

    void filter(const QString& text);
    QString text() const { return browser_->toPlainText(); }

private:
    std::vector<NamedAction> actions_;
    QTextBrowser* browser_;
};

}  // namespace aotscope
