#include "benchmarks.h"
#include "sessions.h"

#include <benchmark/benchmark.h>

namespace aotscope {

namespace {

void trainingStep(benchmark::State& state, const std::string& model, int laps) {
    try {
        const auto session = sessionOf("sample:" + model);
        TimingResult timing;
        for ([[maybe_unused]] auto _ : state) {
            timing = session->time({laps}, {});
            state.SetIterationTime((timing.compiledForwardMs.median + timing.compiledBackwardMs.median) / 1000);
        }
        state.counters["eager_forward_ms"] = timing.eagerForwardMs.median;
        state.counters["eager_backward_ms"] = timing.eagerBackwardMs.median;
        state.counters["compiled_forward_ms"] = timing.compiledForwardMs.median;
        state.counters["compiled_backward_ms"] = timing.compiledBackwardMs.median;
        state.counters["step_ratio"] = timing.stepRatio.median;
        state.counters["step_ratio_low"] = timing.stepRatio.low;
        state.counters["step_ratio_high"] = timing.stepRatio.high;
        for (const GraphTime& graph : timing.graphs) {
            state.counters[graph.graph + "_steps_to_graph"] = graph.stepsRatio.median;
            state.counters[graph.graph + "_observed_to_graph"] = graph.observedRatio.median;
        }
        state.counters["utilization"] = timing.utilization();
        state.counters["eager_peak_bytes"] = static_cast<double>(timing.eagerPeakBytes);
        state.counters["compiled_peak_bytes"] = static_cast<double>(timing.compiledPeakBytes);
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerStepBenchmarks(int laps) {
    for (const std::string model : kBenchModels)
        benchmark::RegisterBenchmark(("step/" + model).c_str(), trainingStep, model, laps)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(1);  // the laps are the repetitions
}

}  // namespace aotscope
