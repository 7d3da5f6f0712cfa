// How long the window does not respond: the longest block of its thread during each command.

#include "benchmarks.h"
#include "deep_session.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QAction>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace aotscope {

namespace {

/// Seconds: as experienced, and of the CPU, which other programs on the machine do not lengthen.
struct Block {
    double wall = 0, cpu = 0;
};

class ThreadClock {
public:
    void start() {
        wall_.start();
        cpu_ = now();
    }
    Block elapsed() const { return {static_cast<double>(wall_.nsecsElapsed()) / 1e9, now() - cpu_}; }

private:
    static double now() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }
    QElapsedTimer wall_;
    double cpu_ = 0;
};

class Walk {
public:
    explicit Walk(QString model) : model_(std::move(model)) { window_.show(); }

    Block open() {
        return longest([this] { window_.openModel(model_); });
    }
    Block run(const char* name) {
        if (!window_.session()) open();
        auto* action = window_.findChild<QAction*>(QString::fromUtf8(name));
        if (!action) throw Error(std::string("the window has no action '") + name + "'");
        return longest([action] { action->trigger(); });
    }

private:
    /// The times of `act` and everything it starts: of one round of the event loop, in which nothing is painted.
    Block longest(const std::function<void()>& act) {
        ThreadClock clock;
        Block longest;
        const auto measure = [&](const std::function<void()>& round) {
            clock.start();
            round();
            const Block block = clock.elapsed();
            longest = {std::max(longest.wall, block.wall), std::max(longest.cpu, block.cpu)};
        };
        measure(act);
        // Consequences come from timers, too.
        constexpr int enough = 100;
        for (int quiet = 0; quiet < enough;) {
            measure([] { QCoreApplication::processEvents(); });
            QThread::msleep(1);
            quiet = window_.busy() ? 0 : quiet + 1;
        }
        return longest;
    }

    QString model_;
    MainWindow window_{engineThere()};
};

constexpr std::array kCommands = {
    "actionNextChange", "actionHistory",     "actionDifference", "actionDifference", "perspective-memory",
    "show-memory",      "actionSweep",       "perspective-run",  "actionCheck",      "actionTime",
    "actionDebug",      "actionDebugStep",   "actionDebugNaN",   "actionDebug",      "perspective-explore",
    "actionContract",   "colourBy-mutation", "colourBy-part",    "actionBeside",     "actionBeside",
    "actionPalette",    "actionManual",      "actionRun"};

/// Commands for a graph that cannot be run.
constexpr std::array kLookingAt = {"actionNextChange",  "actionHistory",       "perspective-memory", "show-memory",
                                   "colourBy-mutation", "colourBy-part",       "perspective-passes", "actionDifference",
                                   "actionDifference",  "actionGraphText",     "actionContract",     "actionBeside",
                                   "actionBeside",      "perspective-explore", "actionPalette"};

/// A sample, or the number of nodes of a synthetic graph.
QString fileOf(const std::string& model) {
    const bool deep = std::ranges::all_of(model, [](char c) { return c >= '0' && c <= '9'; });
    return QString::fromStdString(deep ? writeDeepSession(std::stoi(model)).string() : "sample:" + model);
}

void measure(benchmark::State& state, const std::shared_ptr<std::unique_ptr<Walk>>& tour, const std::string& model,
             const char* command) {
    try {
        if (!*tour) *tour = std::make_unique<Walk>(fileOf(model));
        for ([[maybe_unused]] auto _ : state) {
            const Block block = command ? (*tour)->run(command) : (*tour)->open();
            state.SetIterationTime(block.wall);
            state.counters["cpu_ms"] = block.cpu * 1e3;
        }
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerTourBenchmarks() {
    const auto add = [](const std::string& model, std::span<const char* const> commands) {
        const auto tour = std::make_shared<std::unique_ptr<Walk>>();
        const auto row = [&](const std::string& name, const char* command) {
            benchmark::RegisterBenchmark(("block/" + model + "/" + name).c_str(), measure, tour, model, command)
                ->Unit(benchmark::kMillisecond)
                ->UseManualTime()
                ->Iterations(1);
        };
        row("open", nullptr);
        for (const char* command : commands) row(command, command);
    };
    for (const char* model : {"resnet18", "gpt2"}) add(model, kCommands);
    for (const char* nodes : {"10000", "100000"}) add(nodes, kLookingAt);
}

}  // namespace aotscope
