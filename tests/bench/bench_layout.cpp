#include "benchmarks.h"
#include "canvas/layout/layout_job.h"
#include "sessions.h"

#include <benchmark/benchmark.h>

namespace aotscope {

namespace {

void layOut(benchmark::State& state, const std::string& model, GraphKind kind) {
    try {
        const auto record = sessionOf("sample:" + model, kind == GraphKind::inference)->record();
        const auto graph = record->graph(kind);
        if (!graph) throw Error("the pipeline left no " + std::string(name(kind)) + " graph");
        const DrawnGraph drawn = drawGraph(*graph, kind, record->partition.get());
        QString note;
        for ([[maybe_unused]] auto _ : state) note = layoutNow(drawn).note;
        state.counters["boxes"] = static_cast<double>(drawn.nodes.size());
        state.counters["edges"] = static_cast<double>(drawn.edges.size());
        state.SetLabel(note.toStdString());  // says so if Graphviz is missing or was too slow
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

void add(const std::string& model, GraphKind kind) {
    benchmark::RegisterBenchmark(("layout/" + model + "/" + std::string(name(kind))).c_str(), layOut, model, kind)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()  // Graphviz is another process: our own CPU time says little
        ->Iterations(1);
}

}  // namespace

void registerLayoutBenchmarks() {
    for (const std::string model : kBenchModels) {
        const bool everyKind = model == "resnet50";
        for (int kind = 0; kind < kGraphKinds; ++kind)
            if (everyKind || GraphKind(kind) == GraphKind::joint) add(model, GraphKind(kind));
    }
}

}  // namespace aotscope
