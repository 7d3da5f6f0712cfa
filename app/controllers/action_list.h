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

/// How well `pattern` fits `text`: a part of it, or letters that begin words or follow each other, in this order.
/// Higher is better; kNoMatch: not at all.
constexpr int kNoMatch = -1'000'000;
int fuzzyScore(const QString& pattern, const QString& text);

}  // namespace aotscope
