#pragma once

#include "controllers/controller.h"
#include "controllers/debugging/breakpoint_controller.h"
#include "controllers/debugging/step_controller.h"
#include "controllers/difference_controller.h"
#include "controllers/graphs/colour_controller.h"
#include "controllers/history_controller.h"
#include "controllers/search_controller.h"
#include "panels/pass_panel.h"

#include <QMenu>
#include <QSplitter>

namespace aotscope {

/// Ways to look through a run: search, stepping, differences, history.
class NavigationController : public Controller {
    Q_OBJECT

public:
    /// `graphs`: the place for the difference.
    NavigationController(const Surroundings& around, QSplitter* graphs, PassPanel* passes);

    SearchController* search() const { return search_; }
    DifferenceController* difference() const { return difference_; }
    HistoryController* history() const { return history_; }
    StepController* steps() const { return steps_; }
    ColourController* colours() const { return colours_; }
    BreakpointController* breakpoints() const { return breakpoints_; }

    /// They need a run.
    void addGoActionsTo(QMenu* menu);
    /// Call after the window has connected its own slots: the camera is set last.
    void connectCamera() { steps_->connectCamera(); }
    /// Whether the panel of histories is in front.
    void setHistorySeen(bool seen);

    void setRecord(const std::shared_ptr<const CompileRecord>& record);
    void setTiming(const TimingResult& timing);
    /// The visible canvas: of the graphs, or of a difference.
    const GraphView* shownView() const;
    void setTheme(const Theme& theme);
    bool busy() const override;

private:
    void connectSignals();
    void wantHistory();
    void showTicks(const std::vector<HistoryStep>& steps);

    PassPanel* passes_;
    SearchController* search_;
    DifferenceController* difference_;
    HistoryController* history_;
    StepController* steps_;
    ColourController* colours_;
    BreakpointController* breakpoints_;
    ColourScheme scheme_;
    bool historySeen_ = false;
};

}  // namespace aotscope
