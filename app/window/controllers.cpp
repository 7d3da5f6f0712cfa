#include "window/controllers.h"

#include <algorithm>

namespace aotscope {

Controllers::Controllers(Workbench& bench) {
    QMainWindow* window = bench.window;
    GraphPane* pane = bench.pane();
    auto* second = new GraphPane(bench.centre->graphs());
    bench.centre->graphs()->addWidget(second);
    navigation = add(new NavigationController(
        {window, pane, bench.centre->graphs(), &bench.selection, bench.passes, &bench.settings}));
    canvas = add(new CanvasController(pane, &bench.selection, &bench.settings, window));
    modules = add(new ModuleController(pane, &bench.selection, canvas, window));
    secondary = add(new SecondaryGraphController(pane, second, &bench.selection, window));
    compare = add(new CompareController(secondary, &bench.selection, window));
    runs = add(new RunController(bench, navigation->breakpoints()));
    calibration = add(new CalibrationController(window));
    whatIf = add(new WhatIfController(pane, &bench.selection, calibration, window));
    QObject::connect(calibration, &CalibrationController::calibrated, navigation->colours(),
                     &ColourController::renewEstimates);
    QObject::connect(calibration, &CalibrationController::calibrated, modules, &ModuleController::renewEstimates);
    times = add(new TimingController(&bench.settings, window));
    trace = add(new TraceController(&bench.selection, &bench.settings, window));
    check = add(new CheckController(window));
    training = add(new TrainController(runs->job(), window));
    minify = add(new MinifyController(runs->job(), &bench.settings, window));
    remote = add(new RemoteController(runs->job(), &bench.settings, window));
    debug = add(new DebugController(pane, &bench.selection, navigation->breakpoints()->panel(), window));
    copying = add(new CopyController(pane, &bench.selection, {bench.pages->tabs(), bench.pages->contract()}, window));
    python = add(new PythonController(window));
    text = add(new GraphTextController(pane, &bench.selection, window));
    log = add(new LogController(&bench.settings, window));
    scratch = add(new ScratchController([runs = runs] { return runs->options(); }, &bench.settings, window));
}

bool Controllers::busy() const {
    return std::ranges::any_of(all_, [](const Controller* each) { return each->busy(); });
}

}  // namespace aotscope
