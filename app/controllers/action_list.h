#pragma once

#include <QAction>
#include <QMenuBar>
#include <vector>

namespace aotscope {

/// An action of the menus.
struct NamedAction {
    QAction* action = nullptr;
    QString menu;  ///< "View › Colour by"
    QString text;  ///< without '&' and dots

    QString keys() const;
};

/// All actions that the menus lead to, in their order; lists of models and files that were opened are left out.
std::vector<NamedAction> actionsOf(const QMenuBar& menus);

/// How well `pattern` fits `text`: its letters occur in this order, at best at the beginnings of words or next to each
/// other. Higher is better; kNoMatch: not at all.
constexpr int kNoMatch = -1'000'000;
int fuzzyScore(const QString& pattern, const QString& text);

}  // namespace aotscope
