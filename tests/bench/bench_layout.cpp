#include "benchmarks.h"
#include "canvas/layout/groups.h"
#include "canvas/layout/layout_job.h"
#include "deep_graphs.h"
#include "sessions.h"

#include <benchmark/benchmark.h>

#include <regex>

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

/// A joint graph of about so many operations without modules: boxes, groups and layout.
void layOutFlat(benchmark::State& state, int operations) {
    static const std::regex modules(" module=\"[^\"]*\"");
    constexpr double perLayer = 142;
    const std::string text =
        std::regex_replace(test::deepGraphText(static_cast<int>(operations / perLayer)), modules, "");
    const auto graph = parseGraph(text);
    GraphLayout layout;
    std::size_t stubs = 0;
    for ([[maybe_unused]] auto _ : state) layout = layoutNow(*withGroups(drawGraph(*graph, GraphKind::joint, nullptr)));
    for (const EdgeShape& edge : layout.edges) stubs += edge.stub ? 1 : 0;
    state.counters["boxes"] = static_cast<double>(layout.boxes.size());
    state.counters["stubs"] = static_cast<double>(stubs);
    state.counters["sides"] = layout.bounds.width() / layout.bounds.height();
    state.SetLabel(layout.note.toStdString());
}

}  // namespace

void registerLayoutBenchmarks() {
    for (const int operations : {2'000, 20'000, 100'000})
        benchmark::RegisterBenchmark(("layout/flat/" + std::to_string(operations)).c_str(), layOutFlat, operations)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Iterations(1);
    for (const std::string model : kBenchModels) {
        const bool everyKind = model == "resnet50";
        for (int kind = 0; kind < kGraphKinds; ++kind)
            if (everyKind || GraphKind(kind) == GraphKind::joint) add(model, GraphKind(kind));
    }
}

}  // namespace aotscope
