#pragma once

#include "controllers/check_controller.h"
#include "controllers/copy_controller.h"
#include "controllers/debugging/debug_controller.h"
#include "controllers/graphs/canvas_controller.h"
#include "controllers/graphs/compare_controller.h"
#include "controllers/graphs/graph_text_controller.h"
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
#include "window/run_controller.h"

#include <vector>

namespace aotscope {

/// One controller for each feature of the window. All are owned by the window.
struct Controllers {
    NavigationController* navigation;
    CanvasController* canvas;
    ModuleController* modules;
    SecondaryGraphController* secondary;
    CompareController* compare;
    RunController* runs;
    CalibrationController* calibration;
    WhatIfController* whatIf;
    TimingController* times;
    TraceController* trace;
    CheckController* check;
    TrainController* training;
    DebugController* debug;
    CopyController* copying;
    PythonController* python;
    GraphTextController* text;
    LogController* log;
    ScratchController* scratch;
    MinifyController* minify;
    RemoteController* remote;

    explicit Controllers(Workbench& bench);

    const std::vector<Controller*>& all() const { return all_; }
    bool busy() const;

private:
    /// All controllers, for code that treats them alike.
    template <typename T>
    T* add(T* controller) {
        all_.push_back(controller);
        return controller;
    }

    std::vector<Controller*> all_;
};

}  // namespace aotscope
