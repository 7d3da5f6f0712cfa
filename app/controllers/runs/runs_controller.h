#pragma once

#include "controllers/controller.h"
#include "controllers/graphs/compare_controller.h"
#include "controllers/runs/run_list.h"
#include "controllers/what_if/what_if_controller.h"
#include "panels/run_panel.h"

#include <QAction>

#include <deque>

namespace aotscope {

/// The list of runs: shows, compares and measures them, and makes going from one to another a step of Undo.
class RunsController : public Controller {
    Q_OBJECT

public:
    /// `runs` is owned by the caller and outlives this.
    RunsController(const Surroundings& around, RunList& runs, WhatIfController* whatIf, CompareController* compare);

    RunPanel* panel() const { return panel_; }
    /// By its place in the list.
    void showAt(int index);
    /// To the run before and after the shown one in the list.
    const std::vector<QAction*>& actions() const { return actions_; }
    bool busy() const override { return measuring_.running(); }
    void cancel();

    /// Another run is about to be shown: keeps what-if as it is.
    void leave();
    /// The shown run has been shown in place of `before`; 0: none, or one of another model.
    void follow(int before);
    /// The asked-for run could not be shown.
    void giveUp();
    /// What the list says of runs has changed.
    void refresh();

Q_SIGNALS:
    /// Show this run.
    void chosen(int number);
    void measured(int number, const TimingResult& timing);
    /// Runs were removed.
    void changed();
    /// The names of all runs, with what each changed, and the place of the shown one.
    void listed(const QStringList& runs, int shown);

private:
    /// A row of the panel: a run, or a variant of what-if.
    struct Row {
        Run* run = nullptr;
        int variant = -1;
    };

    /// Numbers of runs, and indices of variants.
    struct Chosen {
        std::vector<int> runs, variants;
    };

    void connectPanel();
    Chosen chosenIn(const std::vector<int>& rows) const;
    void step(int by);
    void go(int number);
    void undoTo(int number);
    void show(int row);
    void compare(int before, int after);
    void compareShownWith(int number);
    void measure(const std::vector<int>& rows);
    void measureNext();
    void remove(const std::vector<int>& rows);
    RunRow rowOf(const Run& run) const;
    const Row& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }

    RunList& runs_;
    WhatIfController* whatIf_;
    CompareController* compare_;
    RunPanel* panel_;
    std::vector<QAction*> actions_;
    std::vector<Row> rows_;
    int walkingTo_ = 0;    ///< by Undo or Redo; 0: not
    int compareWith_ = 0;  ///< once the asked-for run is shown; 0: nothing
    std::deque<int> toMeasure_;
    BackgroundJob measuring_;
};

}  // namespace aotscope
