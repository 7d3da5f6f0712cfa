#include "window/controllers.h"

namespace aotscope {

Controllers::Controllers(Workbench& bench) {
    QMainWindow* window = bench.window;
    GraphPane* pane = bench.pane();
    auto* second = new GraphPane(bench.centre->graphs());
    bench.centre->graphs()->addWidget(second);
    navigation = new NavigationController(
        {window, pane, bench.centre->graphs(), &bench.selection, bench.passes, &bench.settings});
    canvas = new CanvasController(pane, &bench.selection, &bench.settings, window);
    modules = new ModuleController(pane, &bench.selection, canvas, window);
    secondary = new SecondaryGraphController(pane, second, &bench.selection, window);
    compare = new CompareController(secondary, &bench.selection, window);
    runs = new RunController(bench, navigation->breakpoints());
    calibration = new CalibrationController(window);
    whatIf = new WhatIfController(pane, &bench.selection, calibration, window);
    QObject::connect(calibration, &CalibrationController::calibrated, navigation->colours(),
                     &ColourController::renewEstimates);
    QObject::connect(calibration, &CalibrationController::calibrated, modules, &ModuleController::renewEstimates);
    times = new TimingController(&bench.settings, window);
    trace = new TraceController(&bench.selection, &bench.settings, window);
    check = new CheckController(window);
    training = new TrainController(runs->job(), window);
    minify = new MinifyController(runs->job(), &bench.settings, window);
    remote = new RemoteController(runs->job(), &bench.settings, window);
    debug = new DebugController(pane, &bench.selection, navigation->breakpoints()->panel(), window);
    copying = new CopyController(pane, &bench.selection, {bench.pages->tabs(), bench.pages->contract()}, window);
    python = new PythonController(window);
    text = new GraphTextController(pane, &bench.selection, window);
    log = new LogController(&bench.settings, window);
    scratch = new ScratchController([runs = runs] { return runs->options(); }, &bench.settings, window);
}

bool Controllers::busy() const {
    return runs->busy() || secondary->busy() || compare->busy() || whatIf->busy() || navigation->busy() ||
           debug->busy() || times->busy() || calibration->busy() || modules->busy() || copying->busy() ||
           scratch->busy() || trace->busy() || remote->busy();
}

void Controllers::setTheme(const Theme& theme) {
    secondary->pane()->view()->setTheme(theme);
    whatIf->setTheme(theme);
    times->setTheme(theme);
    trace->setTheme(theme);
    training->setTheme(theme);
    navigation->setTheme(theme);
    debug->setTheme(theme);
    text->panel()->setTheme(theme);
}

}  // namespace aotscope
