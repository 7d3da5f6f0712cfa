// How long the window does not answer: the longest block of its thread while a person does each thing once.

#include "benchmarks.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QAbstractEventDispatcher>
#include <QAction>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <array>
#include <functional>
#include <memory>

namespace aotscope {

namespace {

/// The longest time between two moments at which the thread's event loop waits for events.
class BlockMeter : public QObject {
public:
    BlockMeter() {
        const auto* dispatcher = QAbstractEventDispatcher::instance();
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] {
            if (!clock_.isValid()) clock_.start();
        });
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            if (clock_.isValid()) longest_ = std::max(longest_, static_cast<double>(clock_.nsecsElapsed()) / 1e9);
            clock_.invalidate();
        });
    }
    double seconds() const { return longest_; }

private:
    QElapsedTimer clock_;
    double longest_ = 0;
};

class Tour {
public:
    explicit Tour(const char* model) : model_(QString::fromUtf8(model)) { window_.show(); }

    double open() {
        return longest([this] { window_.openModel(model_); });
    }
    double run(const char* name) {
        if (!window_.session()) open();
        auto* action = window_.findChild<QAction*>(QString::fromUtf8(name));
        if (!action) throw Error(std::string("the window has no action '") + name + "'");
        return longest([action] { action->trigger(); });
    }

private:
    /// Of `act`, and of all that it starts.
    double longest(const std::function<void()>& act) {
        const BlockMeter meter;
        bool begun = false;
        QTimer::singleShot(0, &window_, [&] {
            begun = true;
            act();
        });
        // What follows comes from timers, too.
        for (int quiet = 0; quiet < 3;) {
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
            quiet = begun && !window_.busy() ? quiet + 1 : 0;
        }
        return meter.seconds();
    }

    QString model_;
    MainWindow window_;
};

constexpr std::array kCommands = {
    "actionNextChange", "actionHistory",     "actionDifference", "actionDifference", "perspective-memory",
    "show-memory",      "actionSweep",       "perspective-run",  "actionCheck",      "actionTime",
    "actionDebug",      "actionDebugStep",   "actionDebugNaN",   "actionDebug",      "perspective-explore",
    "actionContract",   "colourBy-mutation", "colourBy-part",    "actionBeside",     "actionBeside",
    "actionPalette",    "actionManual",      "actionRun"};

void measure(benchmark::State& state, const std::shared_ptr<std::unique_ptr<Tour>>& tour, const char* model,
             const char* command) {
    try {
        if (!*tour) *tour = std::make_unique<Tour>(model);
        for ([[maybe_unused]] auto _ : state) state.SetIterationTime(command ? (*tour)->run(command) : (*tour)->open());
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerTourBenchmarks() {
    for (const char* model : {"sample:resnet18", "sample:gpt2"}) {
        const auto tour = std::make_shared<std::unique_ptr<Tour>>();
        const std::string prefix = std::string("block/") + (model + sizeof "sample:" - 1) + "/";
        const auto add = [&](const std::string& name, const char* command) {
            benchmark::RegisterBenchmark((prefix + name).c_str(), measure, tour, model, command)
                ->Unit(benchmark::kMillisecond)
                ->UseManualTime()
                ->Iterations(1);
        };
        add("open", nullptr);
        for (const char* command : kCommands) add(command, command);
    }
}

}  // namespace aotscope
