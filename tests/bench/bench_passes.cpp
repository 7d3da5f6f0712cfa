// Looking through the passes of a run with about 10,000 operations: search, differences, histories, stepping.

#include "benchmarks.h"
#include "query/search.h"
#include "record/graph_difference.h"
#include "record/history/node_history.h"
#include "sessions.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QApplication>

namespace aotscope {

namespace {

const std::shared_ptr<const CompileRecord>& deepRecord() {
    static const auto record = openSound(kPartitionedModels.back().options())->record();
    return record;
}

/// One run of `job`, which returns its results.
using Job = std::string (*)(const std::shared_ptr<const CompileRecord>& record);

void measure(benchmark::State& state, Job job) {
    try {
        const auto& record = deepRecord();
        for ([[maybe_unused]] auto _ : state) state.SetLabel(job(record));
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

std::string looked(const std::shared_ptr<const CompileRecord>& record, const char* query) {
    const SearchResult result = search(*record, Query::parse(query), nullptr, {});
    return std::to_string(result.hits) + " hits among " + std::to_string(result.searched) + " nodes of all graphs";
}

std::string byTerms(const std::shared_ptr<const CompileRecord>& record) {
    return looked(record, "op:mm bytes>10k (saved or recomputed or module:3)");
}

std::string byExpression(const std::shared_ptr<const CompileRecord>& record) {
    return looked(record, "/^(add|mul)_\\d+$/");
}

std::string difference(const std::shared_ptr<const CompileRecord>& record) {
    std::shared_ptr<const Graph> before, after;
    for (const PassGraph& graph : graphsOf(*record)) {
        if (graph.kind == GraphKind::functional) before = graph.graph;
        if (graph.kind == GraphKind::joint && !after) after = graph.graph;
    }
    return summaryOf(compareGraphs(*record, before, GraphKind::functional, after, GraphKind::joint));
}

std::string history(const std::shared_ptr<const CompileRecord>& record) {
    NodeFollower follower(record);
    const auto joint = record->graph(GraphKind::joint);
    const auto steps = historyOf(follower, joint, GraphKind::joint, joint->at(joint->size() / 3)->id());
    return std::to_string(steps.size()) + " graphs";
}

void settle(const MainWindow& window) {
    while (window.busy()) QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    QCoreApplication::processEvents();
}

/// From the key to the picture of the next pass; both graphs were shown before.
void stepInWindow(benchmark::State& state) {
    try {
        MainWindow window(engineThere());
        window.resize(1600, 1000);
        window.show();
        window.setOptions(kPartitionedModels.back().options());
        window.openModel(QString::fromStdString(kPartitionedModels.back().where()));
        settle(window);
        auto* passes = window.findChild<PassPanel*>();
        const auto step = [&](int direction) {
            passes->step(direction);
            settle(window);
            window.grab();
        };
        for (int i = 0; i < 3; ++i) step(1);
        step(1);
        step(-1);
        int direction = 1;
        for ([[maybe_unused]] auto _ : state) {
            step(direction);
            direction = -direction;
        }
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerPassBenchmarks() {
    for (const auto& [name, job] :
         {std::pair{"search by terms", Job(byTerms)}, std::pair{"search by an expression", Job(byExpression)},
          std::pair{"difference of functional and joint", Job(difference)},
          std::pair{"history of a node", Job(history)}})
        benchmark::RegisterBenchmark((std::string("canvas/10000/") + name).c_str(), measure, job)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    benchmark::RegisterBenchmark("canvas/10000/step to a pass that was seen", stepInWindow)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(6);
}

}  // namespace aotscope
