#pragma once

#include "controllers/copy_controller.h"
#include "controllers/debugging/debug_controller.h"
#include "controllers/graphs/canvas_controller.h"
#include "controllers/graphs/compare_controller.h"
#include "controllers/graphs/module_controller.h"
#include "controllers/graphs/navigation_controller.h"
#include "controllers/graphs/secondary_graph_controller.h"
#include "controllers/log_controller.h"
#include "controllers/minify_controller.h"
#include "controllers/python_controller.h"
#include "controllers/scratch_controller.h"
#include "controllers/sessions/remote_controller.h"
#include "controllers/timing_controller.h"
#include "controllers/trace_controller.h"
#include "controllers/train_controller.h"
#include "controllers/what_if/calibration_controller.h"
#include "controllers/what_if/what_if_controller.h"
#include "panels/check_panel.h"
#include "panels/graph/graph_text_panel.h"
#include "window/run_controller.h"

#include <vector>

namespace aotscope {

/// One controller for each feature of the window, and panels that need none. All are owned by the window.
struct Controllers {
private:
    Workbench& bench_;
    QMainWindow* window_ = bench_.window;
    std::shared_ptr<const Engine> engine_ = bench_.engine;
    GraphPane* pane_ = bench_.pane();
    GraphPane* second_ = new GraphPane(bench_.centre->graphs());
    std::vector<Controller*> all_;

    /// All controllers, for code that treats them alike.
    template <typename T>
    T* add(T* controller) {
        all_.push_back(controller);
        return controller;
    }

public:
    NavigationController* navigation = add(new NavigationController(
        {engine_, window_, pane_, bench_.centre->graphs(), &bench_.selection, bench_.passes, &bench_.settings}));
    CanvasController* canvas = add(new CanvasController(pane_, &bench_.selection, &bench_.settings, window_));
    ModuleController* modules = add(new ModuleController(engine_, pane_, &bench_.selection, canvas, window_));
    SecondaryGraphController* secondary =
        add(new SecondaryGraphController(engine_, pane_, second_, &bench_.selection, window_));
    CompareController* compare = add(new CompareController(engine_, secondary, &bench_.selection, window_));
    RunController* runs = add(new RunController(bench_, navigation->breakpoints()));
    CalibrationController* calibration = add(new CalibrationController(engine_, window_));
    WhatIfController* whatIf = add(new WhatIfController(engine_, pane_, &bench_.selection, calibration, window_));
    TimingController* times = add(new TimingController(&bench_.settings, window_));
    TraceController* trace = add(new TraceController(&bench_.selection, &bench_.settings, window_));
    CheckPanel* check = new CheckPanel(window_);
    TrainController* training = add(new TrainController(runs->job(), window_));
    MinifyController* minify = add(new MinifyController(runs->job(), &bench_.settings, window_));
    RemoteController* remote = add(new RemoteController(runs->job(), &bench_.settings, window_));
    DebugController* debug =
        add(new DebugController(engine_, pane_, &bench_.selection, navigation->breakpoints()->panel(), window_));
    CopyController* copying =
        add(new CopyController(pane_, &bench_.selection, {bench_.pages->tabs(), bench_.pages->contract()}, window_));
    PythonController* python = add(new PythonController(engine_, window_));
    GraphTextPanel* text = new GraphTextPanel(window_);
    LogController* log = add(new LogController(&bench_.settings, window_));
    ScratchController* scratch = add(new ScratchController(
        engine_, [runs = runs] { return runs->options(); }, &bench_.settings, window_));

    explicit Controllers(Workbench& bench);

    const std::vector<Controller*>& all() const { return all_; }
    bool busy() const;
};

}  // namespace aotscope
