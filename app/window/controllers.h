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
#include "controllers/profile_controller.h"
#include "controllers/python_controller.h"
#include "controllers/runs/runs_controller.h"
#include "controllers/scratch_controller.h"
#include "controllers/sessions/remote_controller.h"
#include "controllers/timing_controller.h"
#include "controllers/trace_controller.h"
#include "controllers/train_controller.h"
#include "controllers/what_if/calibration_controller.h"
#include "controllers/what_if/fit_controller.h"
#include "controllers/what_if/what_if_controller.h"
#include "panels/check_panel.h"
#include "panels/graph/graph_text_panel.h"
#include "record/model_kind.h"
#include "window/run_controller.h"

#include <vector>

namespace aotscope {

/// One controller for each feature of the window, and panels that need none. All are owned by the window.
struct Controllers {
private:
    Workbench& bench_;
    QMainWindow* window_ = bench_.window;
    Surroundings around_{window_, bench_.engine, &bench_.settings, bench_.pane(), &bench_.selection};
    GraphPane* second_ = new GraphPane(bench_.centre->graphs());  // before what else is put there
    std::vector<Controller*> all_;

    /// All controllers, for code that treats them alike.
    template <typename T>
    T* add(T* controller) {
        all_.push_back(controller);
        return controller;
    }

public:
    NavigationController* navigation = add(new NavigationController(around_, bench_.centre->graphs(), bench_.passes));
    CanvasController* canvas = add(new CanvasController(around_));
    ModuleController* modules = add(new ModuleController(around_, canvas));
    SecondaryGraphController* secondary = add(new SecondaryGraphController(around_, second_));
    CompareController* compare = add(new CompareController(around_, secondary));
    RunController* runs = add(new RunController(bench_, navigation->breakpoints()));
    CalibrationController* calibration = add(new CalibrationController(around_, runs->job()));
    WhatIfController* whatIf = add(new WhatIfController(around_, calibration));
    FitController* fit = add(new FitController(around_));
    RunsController* list = add(new RunsController(around_, bench_.run.runs, whatIf, compare));
    TimingController* times = add(new TimingController(around_));
    ProfileController* profile = add(new ProfileController(around_));
    TraceController* trace = add(new TraceController(&bench_.selection, &bench_.settings, window_));
    CheckPanel* check = new CheckPanel(window_);
    TrainController* training = add(new TrainController(around_, runs->job()));
    MinifyController* minify = add(new MinifyController(around_, runs->job()));
    RemoteController* remote = add(new RemoteController(runs->job(), &bench_.settings, window_));
    DebugController* debug = add(new DebugController(around_, navigation->breakpoints()->panel()));
    CopyController* copying = add(new CopyController(around_, {bench_.pages->tabs(), bench_.pages->contract()}));
    PythonController* python = add(new PythonController(around_));
    GraphTextPanel* text = new GraphTextPanel(window_);
    LogController* log = add(new LogController(around_));
    ScratchController* scratch =
        add(new ScratchController(around_, [runs = runs] { return runs->optionsOf(kScriptPrefix); }));

    explicit Controllers(Workbench& bench);

    const std::vector<Controller*>& all() const { return all_; }
    bool busy() const;
};

}  // namespace aotscope
