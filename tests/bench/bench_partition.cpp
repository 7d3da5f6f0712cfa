#include "benchmarks.h"
#include "cost/known_machines.h"
#include "cost/runtime_model.h"
#include "partition/difference.h"
#include "partition/pareto.h"
#include "sessions.h"

#include <benchmark/benchmark.h>

namespace aotscope {

namespace {

struct Bench {
    std::shared_ptr<const Session> session;
    std::unique_ptr<PartitionWhatIf> whatIf;

    explicit Bench(const PartitionedModel& model) {
        session = openSound(model.options());
        whatIf = std::make_unique<PartitionWhatIf>(session->record()->graph(GraphKind::joint),
                                                   rooflineTimes(machineOf(session->options().device)));
    }
    const CompileRecord& record() const { return *session->record(); }
    void count(benchmark::State& state) const { state.counters["nodes"] = static_cast<double>(whatIf->joint().size()); }
};

/// Recompute a saved value, leave it to the partitioner, and so on; with the difference to the compiled partition.
void flip(benchmark::State& state, const PartitionedModel& model) {
    try {
        const Bench bench(model);
        PartitionOptions options = bench.session->options().partition;
        const NodeId value = savedActivation(bench.record());
        for ([[maybe_unused]] auto _ : state) {
            if (options.cut.mustRecompute.erase(value) == 0) options.cut.mustRecompute.insert(value);
            const auto partition = bench.whatIf->partition(options);
            benchmark::DoNotOptimize(compare(*bench.record().partition, *partition));
        }
        bench.count(state);
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

/// 20 memory budgets with their costs.
void sweep(benchmark::State& state, const PartitionedModel& model) {
    try {
        constexpr int kPoints = 20;
        const Bench bench(model);
        const NodeTimes times(machineModel(bench.session->options().device));
        for ([[maybe_unused]] auto _ : state)
            benchmark::DoNotOptimize(budgetCosts(*bench.whatIf, evenBudgets(kPoints),
                                                 bench.session->options().partition, bench.record().knownMetadata(),
                                                 times, {}));
        bench.count(state);
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerPartitionBenchmarks() {
    for (const PartitionedModel& model : kPartitionedModels) {
        benchmark::RegisterBenchmark(("answer/" + std::string(model.sample) + "/flip").c_str(), flip, model)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Iterations(4);
        benchmark::RegisterBenchmark(("answer/" + std::string(model.sample) + "/sweep").c_str(), sweep, model)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Iterations(1);
    }
}

}  // namespace aotscope
