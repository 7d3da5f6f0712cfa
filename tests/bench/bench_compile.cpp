#include "benchmarks.h"
#include "sessions.h"

#include <benchmark/benchmark.h>

#include <set>

namespace aotscope {

namespace {

/// Figures that identify the model on the Python side.
void countModel(benchmark::State& state, const CompileRecord& record) {
    std::int64_t parameters = 0;
    for (const auto& input : record.metadata->inputs)
        if (input.role == Role::parameter && input.tensor) parameters += input.tensor->numel();
    state.counters["parameters"] = static_cast<double>(parameters);

    const auto joint = record.graph(GraphKind::joint);
    if (!joint) return;
    // Without the overload: TorchScript picks add.Scalar where Python has add.Tensor.
    std::set<std::string> kinds;
    for (const Node* node : joint->nodes())
        if (node->kind() == NodeKind::call) kinds.insert(node->op().substr(0, node->op().rfind('.')));
    state.counters["joint_calls"] = static_cast<double>(joint->callCount());
    state.counters["joint_kinds"] = static_cast<double>(kinds.size());
}

/// `where` is a path or "sample:NAME".
void compileModel(benchmark::State& state, const std::string& where) {
    try {
        auto session = sessionOf(where);
        state.counters["first_ms"] = session->record()->times.total;
        state.counters["load_ms"] = session->record()->times.load;
        session = compileAgain(session);  // warm-up, also for an old session
        for ([[maybe_unused]] auto _ : state) {
            session = compileAgain(session);
            state.SetIterationTime(session->record()->times.total / 1000);
        }
        const CompileTimes& times = session->record()->times;
        state.counters["metadata_ms"] = times.metadata;
        state.counters["joint_ms"] = times.joint;
        state.counters["partition_ms"] = times.partition;
        countModel(state, *session->record());
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

/// With all sizes dynamic, right after the same with static sizes.
void compileDynamic(benchmark::State& state, const std::string& where) {
    try {
        auto fixed = sessionOf(where);
        auto dynamic = openSound({.model = where, .dynamic = {{DynamicRange::kAll}}}, fixed);
        for ([[maybe_unused]] auto _ : state) {
            fixed = compileAgain(fixed);
            dynamic = compileAgain(dynamic);
            state.SetIterationTime(dynamic->record()->times.total / 1000);
        }
        state.counters["static_ms"] = fixed->record()->times.total;
        state.counters["symbols"] = static_cast<double>(dynamic->record()->symbols.size());
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

}  // namespace

void registerCompileBenchmarks() {
    using Section = std::pair<std::string, void (*)(benchmark::State&, const std::string&)>;
    for (const auto& [section, compile] : {Section("compile/", compileModel), Section("dynamic/", compileDynamic)})
        for (const std::string model : kBenchModels)
            benchmark::RegisterBenchmark((section + model).c_str(), compile, "sample:" + model)
                ->Unit(benchmark::kMillisecond)
                ->UseManualTime()
                ->Iterations(1);
}

void registerExportedBenchmark(const std::string& name, const std::string& file) {
    benchmark::RegisterBenchmark(("exported/" + name).c_str(), compileModel, file)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(1);
}

}  // namespace aotscope
