#pragma once

#include "controllers/selection.h"
#include "controllers/settings.h"
#include "panels/inspector/inspector_panel.h"
#include "panels/pass_panel.h"
#include "panels/problems_panel.h"
#include "session/engine.h"
#include "window/centre.h"
#include "window/main_tool_bar.h"
#include "window/options/option_chips.h"
#include "window/options/options_popover.h"
#include "window/pages/perspectives.h"
#include "window/pages/shown_run.h"
#include "window/problem_drawer.h"
#include "window/status_line.h"

namespace aotscope {

/// Shared by every part of the window: what is shown, and where. The main window owns it, and outlives all users.
struct Workbench {
    QMainWindow* window;
    std::shared_ptr<const Engine> engine;
    Settings settings;
    ShownRun run;
    Selection selection;
    Centre* centre;
    OptionsPopover* options;
    MainToolBar* toolBar;
    OptionChips* chips;
    PassPanel* passes;
    InspectorPanel* inspector;
    ProblemsPanel* problems;
    Pages* pages;
    Perspectives* perspectives = nullptr;  ///< available when the pages have been added
    StatusLine* status;
    ProblemDrawer* drawer;

    Workbench(QMainWindow* mainWindow, std::shared_ptr<const Engine> runs);
    GraphPane* pane() const { return centre->pane(); }
    void say(const QString& sentence) const { status->say(sentence); }
    void report(ProblemsPanel::Kind kind, const QString& sentence) const { problems->add(kind, sentence); }
    /// Runs `act`; an error is reported as a problem.
    template <typename Act>
    void guarded(Act&& act) const {
        try {
            act();
        } catch (const std::exception& e) {
            report(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
        }
    }
};

}  // namespace aotscope
