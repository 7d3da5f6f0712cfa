// Memory beyond LibTorch: the resident memory of the process (pages in use only; free heap memory is returned first).
// Before, with LibTorch and Qt loaded and nothing open, and added by a joint graph, its picture with all modules open
// and the painted window, or by a session with the weights of its model. run.py starts a process for each figure.

#include "benchmarks.h"
#include "canvas/layout/layout_job.h"
#include "canvas/view/graph_view.h"
#include "deep_graphs.h"
#include "sessions.h"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>

namespace aotscope {

namespace {

double residentBytes() {
    malloc_trim(0);
    double pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void report(benchmark::State& state, double before, std::size_t nodes) {
    state.counters["before_bytes"] = before;
    state.counters["added_bytes"] = residentBytes() - before;
    state.counters["nodes"] = static_cast<double>(nodes);
}

void ofPicture(benchmark::State& state, int nodes) {
    const double before = residentBytes();
    for ([[maybe_unused]] auto _ : state) {
        const auto graph = makeDeepGraph(nodes);
        const auto drawn = withGroups(drawGraph(*graph, GraphKind::joint, nullptr));
        GraphView view;
        view.resize(kWindow);
        view.show();
        view.showGraph(drawn, std::make_shared<const GraphLayout>(layoutNow(*drawn)));
        view.grab();
        report(state, before, graph->size());
    }
}

void ofSession(benchmark::State& state, const PartitionedModel& model) {
    const double before = residentBytes();
    try {
        for ([[maybe_unused]] auto _ : state) {
            const auto session = openSound(model.options());
            report(state, before, session->record()->graph(GraphKind::joint)->size());
        }
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerMemoryBenchmarks() {
    for (const int nodes : kDeepGraphs)
        benchmark::RegisterBenchmark(("memory/" + std::to_string(nodes) + "/picture").c_str(), ofPicture, nodes)
            ->Iterations(1);
    for (const PartitionedModel& model : kPartitionedModels)
        benchmark::RegisterBenchmark(("memory/" + std::string(model.sample) + "/session").c_str(), ofSession, model)
            ->Iterations(1);
}

}  // namespace aotscope
