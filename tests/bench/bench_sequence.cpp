// A folder of 20 graphs with 50,000 operations each, as left by a training step that goes through passes: opening it,
// and then using it.

#include "benchmarks.h"
#include "io/history_text.h"
#include "query/search.h"
#include "record/pass_steps.h"
#include "session/session.h"
#include "step_folder.h"
#include "support/resident_memory.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QThreadPool>

namespace aotscope {

namespace {

constexpr std::size_t kPasses = 20, kOperations = 50'000;
constexpr int kLook = 700;  ///< milliseconds that a user looks at a pass

const std::string& stepFolder() {
    static const QTemporaryDir folder;
    static const std::string path = [] {
        std::string where = folder.path().toStdString();
        writeStepFolder(where, kPasses, kOperations);
        return where;
    }();
    return path;
}

Options optionsOfFolder() { return {.model = stepFolder()}; }

const std::shared_ptr<const CompileRecord>& stepRecord() {
    static const auto record = Session::open(optionsOfFolder(), {})->record();
    return record;
}

void openFolder(benchmark::State& state) {
    const Options options = optionsOfFolder();
    for ([[maybe_unused]] auto _ : state) {
        const auto session = Session::open(options, {});
        state.PauseTiming();
        std::size_t nodes = 0;
        for (const PassRecord& pass : session->record()->passes) nodes += pass.graphs.front().second->size();
        state.SetLabel(std::to_string(session->record()->passes.size()) + " passes, " + std::to_string(nodes) +
                       " nodes");
        state.counters["MB"] = static_cast<double>(privateBytes()) / 1e6;
        state.ResumeTiming();
    }
}

/// One run of `job`, which returns its results.
using StepJob = std::string (*)(const std::shared_ptr<const CompileRecord>& record);

void measureOnFolder(benchmark::State& state, StepJob job) {
    const auto& record = stepRecord();
    for ([[maybe_unused]] auto _ : state) state.SetLabel(job(record));
}

std::string changesOfAPass(const std::shared_ptr<const CompileRecord>& record) {
    return std::to_string(stepsOf(*record, kPasses / 2).size()) + " changes";
}

std::string whoIntroduced(const std::shared_ptr<const CompileRecord>& record) {
    const std::string text = historyText(*record, historyOfName(record, "clone_500"));
    return text.substr(text.find("introduced"));
}

std::string searchAll(const std::shared_ptr<const CompileRecord>& record) {
    const SearchResult result = search(*record, Query::parse("op:clone"), nullptr, {});
    return std::to_string(result.hits) + " hits among " + std::to_string(result.searched) + " nodes";
}

void settleOn(const MainWindow& window) {
    while (window.busy()) QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    QCoreApplication::processEvents();
}

/// The pass to go to.
enum class Step {
    hurried,  ///< not shown yet, immediately after the previous one
    next,     ///< not shown yet, after a look at the previous one
    back      ///< shown before
};

/// From the key to the picture and the changes of the previous pass; the last one is shown first.
void stepThroughFolder(benchmark::State& state, Step kind) {
    MainWindow window(engineThere());
    window.resize(1600, 1000);
    window.show();
    window.openModel(QString::fromStdString(stepFolder()));
    settleOn(window);
    auto* passes = window.findChild<PassPanel*>();
    const auto step = [&](int direction) {
        passes->step(direction);
        settleOn(window);
        window.grab();
    };
    const auto look = [&] {
        QElapsedTimer looking;
        looking.start();
        while (looking.elapsed() < kLook) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    };
    step(-1);
    int direction = kind == Step::back ? 1 : -1;
    for ([[maybe_unused]] auto _ : state) {
        if (kind == Step::next) {
            state.PauseTiming();
            look();
            state.ResumeTiming();
        }
        step(direction);
        if (kind == Step::back) direction = -direction;
    }
}

/// Opens a small model instead.
void leaveFolder(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        auto window = std::make_unique<MainWindow>(engineThere());
        window->resize(1600, 1000);
        window->show();
        window->openModel(QString::fromStdString(stepFolder()));
        settleOn(*window);
        state.ResumeTiming();
        window->openModel(QStringLiteral("sample:sincos"));
        settleOn(*window);
        state.PauseTiming();
        window.reset();
        QThreadPool::globalInstance()->waitForDone();
        state.ResumeTiming();
    }
}

}  // namespace

void registerSequenceBenchmarks() {
    const auto add = [](const char* what, const auto&... job) {
        return benchmark::RegisterBenchmark((std::string("sequence/20x50000/") + what).c_str(), job...)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    add("open", openFolder)->Iterations(3);
    add("changes of a pass", measureOnFolder, changesOfAPass);
    add("which pass introduced a node", measureOnFolder, whoIntroduced);
    add("search in all graphs", measureOnFolder, searchAll);
    add("step to a new pass", stepThroughFolder, Step::next)->Iterations(6);
    add("step to a new pass at once", stepThroughFolder, Step::hurried)->Iterations(6);
    add("open a small model instead", leaveFolder)->Iterations(3);
    add("step to a pass seen before", stepThroughFolder, Step::back)->Iterations(6);
}

}  // namespace aotscope
