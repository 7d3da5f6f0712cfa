#include "benchmarks.h"
#include "sessions.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QEventLoop>

namespace aotscope {

namespace {

void settle(const MainWindow& window) {
    while (window.busy()) QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    QCoreApplication::processEvents();
}

/// From the override to the changed picture and tables; painting is among the canvas figures.
void answer(benchmark::State& state, const PartitionedModel& model) {
    try {
        MainWindow window(engineThere());
        window.show();
        window.setOptions(model.options());
        window.openModel(QString::fromStdString(model.where()));
        settle(window);
        if (!window.session()) throw Error("the window did not open " + model.where());
        WhatIfController& whatIf = *window.whatIf();
        PartitionOptions options = window.session()->options().partition;
        const NodeId value = savedActivation(*window.session()->record());
        for ([[maybe_unused]] auto _ : state) {
            if (options.cut.mustRecompute.erase(value) == 0) options.cut.mustRecompute.insert(value);
            whatIf.change(options, {}, false);
            settle(window);
            QCoreApplication::sendPostedEvents();
            state.SetIterationTime(whatIf.answerMs() / 1000);
        }
        state.counters["nodes"] = static_cast<double>(window.session()->record()->graph(GraphKind::joint)->size());
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerWindowBenchmarks() {
    for (const PartitionedModel& model : kPartitionedModels)
        benchmark::RegisterBenchmark(("answer/" + std::string(model.sample) + "/window").c_str(), answer, model)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(6);
}

}  // namespace aotscope
