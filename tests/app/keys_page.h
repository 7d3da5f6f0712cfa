#pragma once

#include "controllers/action_list.h"

namespace aotscope::test {

inline constexpr const char* kIntroduction =
    "# Keys\n\n"
    "**?** opens this page in the program; **Ctrl+K** finds a command by its name. Keys of one letter belong to the "
    "main window: they work unless you are typing.\n";

/// Keys and gestures of the views, which are not actions.
inline constexpr const char* kInTheViews =
    "\n## In the views\n\n"
    "| where | key | what it does |\n|---|---|---|\n"
    "| canvas | arrows | walk along edges |\n"
    "| canvas | Ctrl+wheel, +, - | zoom |\n"
    "| canvas | Shift+wheel | scroll sideways |\n"
    "| canvas | Ctrl+click | add a node to the selection, or take it out |\n"
    "| canvas | Esc | clear the selection |\n"
    "| start page | Tab, arrows, Enter | go from list to list, walk through cards and files, open |\n"
    "| module tree | Up, Down | select the operations of a module |\n"
    "| module tree | Enter | open or close the module in the graph |\n"
    "| pass list | Up, Down | step through the passes |\n"
    "| table, module tree | / | filter its rows; elsewhere **/** finds nodes |\n"
    "| search | Enter, Shift+Enter | next hit, previous hit |\n"
    "| search | Esc | close the search |\n"
    "| slider of differences | Left, Right; with Shift | move the later end; the earlier end |\n"
    "| difference | Esc | back to the graphs |\n"
    "| flame chart, timeline | arrows, Enter, Esc | go from bar to bar, zoom, show everything |\n"
    "| tour, lesson | Enter, Esc, 1 to 4 | next, end, answer; **Shift+F1** gives it the keyboard |\n";

/// The manual's page of keys, as Markdown: those of `actions` by menu, then those of the views, which are not actions.
/// resources/manual/keys.md is this text; test_window_search updates it with UPDATE_GOLDEN=1.
inline QString keysPage(const std::vector<NamedAction>& actions) {
    QString page = QLatin1String(kIntroduction), menu;
    for (const NamedAction& named : actions) {
        const QString keys = named.keys();
        if (keys.isEmpty()) continue;
        const QString below = named.menu.section(QStringLiteral(" › "), 1);
        if (const QString top = named.menu.section(QStringLiteral(" › "), 0, 0); top != menu) {
            menu = top;
            page += QStringLiteral("\n## %1\n\n| key | command | what it does |\n|---|---|---|\n").arg(menu);
        }
        page += QStringLiteral("| %1 | %2 | %3 |\n")
                    .arg(keys, below.isEmpty() ? named.text : QString(below + QStringLiteral(" › ") + named.text),
                         named.action->statusTip());
    }
    return page + QLatin1String(kInTheViews);
}

}  // namespace aotscope::test
