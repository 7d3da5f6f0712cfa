// What it costs that the engine is a process of its own: the same requests, in turn, to it and to one in this process.

#include "benchmarks.h"
#include "debug/debugger.h"
#include "record/results/statistics.h"
#include "sessions.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QApplication>

#include <chrono>

namespace aotscope {

namespace {

/// An engine with what has been asked of it so far.
struct Side {
    std::shared_ptr<const Engine> (*start)();
    std::shared_ptr<const Engine> engine = start();
    std::shared_ptr<const Session> session = {};
    std::shared_ptr<Debugger> debugger = {};
    std::unique_ptr<MainWindow> window = {};

    void open(const Options& options) {
        session = engine->open(options, {}, session);
        if (const auto& error = session->record()->error; !error.empty()) throw Error(error);
    }
};

void compile(Side& side) { side.open(side.session->options()); }

void check(Side& side) { side.session->check({}); }

void time(Side& side) { side.session->time({.iterations = 1, .warmUps = 0}, {}); }

/// With what the window shows of its value.
void step(Side& side) {
    if (!side.debugger) side.debugger = side.session->debug({});
    if (side.debugger->position().ended()) side.debugger->restart();
    side.debugger->step({});
    const DebugStop& stop = side.debugger->lastStop();
    benchmark::DoNotOptimize(side.debugger->value(stop.graph, stop.node));
}

/// Recompute a saved value, leave it to the partitioner, and so on.
void whatIf(Side& side) {
    PartitionOptions partition = side.session->options().partition;
    auto& recomputed = partition.cut.mustRecompute;
    if (recomputed.empty()) recomputed.insert(savedActivation(*side.session->record()));
    else recomputed.clear();
    side.open(withPartition(*side.session, partition));
}

/// From the start of the window, and of its engine, to the picture. In this process, LibTorch is loaded already.
void showWindow(Side& side) {
    side.window = std::make_unique<MainWindow>(side.start());
    MainWindow& window = *side.window;
    window.resize(1600, 1000);
    window.show();
    window.openModel(QString::fromStdString(side.session->options().model));
    while (window.busy()) QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    window.grab();
}

double msOf(void (*ask)(Side&), Side& side) {
    const auto start = std::chrono::steady_clock::now();
    ask(side);
    const auto end = std::chrono::steady_clock::now();
    side.window.reset();
    return std::chrono::duration<double, std::milli>(end - start).count();
}

/// At least `least` times of each, and as often as fits into two seconds.
void border(benchmark::State& state, const Options& options, void (*ask)(Side&), std::size_t least) {
    constexpr double enoughMs = 2000;
    constexpr std::size_t most = 200;
    try {
        Side here{engineHere}, there{[] { return engineIn(engineProgram().program); }};
        for (Side* side : {&here, &there}) {
            side->open(options);
            msOf(ask, *side);  // code is loaded
        }
        std::vector<double> hereMs, thereMs;
        double spent = 0;
        const auto enough = [&] { return hereMs.size() >= least && (spent > enoughMs || hereMs.size() >= most); };
        for ([[maybe_unused]] auto _ : state) {
            while (!enough()) {
                const bool first = hereMs.size() % 2 == 0;
                if (first) hereMs.push_back(msOf(ask, here));
                thereMs.push_back(msOf(ask, there));
                if (!first) hereMs.push_back(msOf(ask, here));
                spent += hereMs.back() + thereMs.back();
            }
            state.SetIterationTime(spreadOf(thereMs).median / 1000);
        }
        const Ratio ratio = pairedRatio(hereMs, thereMs);
        state.counters["here_ms"] = spreadOf(hereMs).median;
        state.counters["here_least_ms"] = spreadOf(hereMs).min;
        state.counters["least_ms"] = spreadOf(thereMs).min;
        state.counters["there_ratio"] = ratio.median;
        state.counters["there_ratio_low"] = ratio.low;
        state.counters["there_ratio_high"] = ratio.high;
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerBorderBenchmarks(int iterations) {
    const auto add = [&](const PartitionedModel& model, const std::string& what, void (*ask)(Side&)) {
        benchmark::RegisterBenchmark(("border/" + std::string(model.sample) + "/" + what).c_str(), border,
                                     model.options(), ask, static_cast<std::size_t>(iterations))
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(1);  // the iterations are the repetitions
    };
    for (const PartitionedModel& model : {PartitionedModel{"mlp", "none"}, PartitionedModel{"resnet18", "none"}}) {
        add(model, "compile", compile);
        add(model, "check", check);
        add(model, "time", time);
        add(model, "step", step);
    }
    for (const PartitionedModel& model : kPartitionedModels) {
        add(model, "compile", compile);
        add(model, "what-if", whatIf);
    }
    for (const char* sample : {"resnet18", "gpt2"}) add({sample, "none"}, "first picture", showWindow);
}

}  // namespace aotscope
