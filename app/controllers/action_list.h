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

/// All actions of the menus, in their order, without lists of models and recent files.
std::vector<NamedAction> actionsOf(const QMenuBar& menus);

/// How well `pattern` fits `text`: its letters must occur in this order, preferably at the beginnings of words or next
/// to each other. Higher is better; kNoMatch: not at all.
constexpr int kNoMatch = -1'000'000;
int fuzzyScore(const QString& pattern, const QString& text);

}  // namespace aotscope
