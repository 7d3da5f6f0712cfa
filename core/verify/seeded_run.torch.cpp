#include "verify/seeded_run.h"

#include "aten/random_state.h"

namespace aotscope {

SeededRun::SeededRun(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
                     const Arithmetic& arithmetic)
    : modelRun_(modelRun),
      options_(options),
      arithmetic_(arithmetic),
      arguments_(modelRun.arguments(/*ownState=*/true, sizes)),
      grad_(!options.inference) {
    prepareLeaves(arithmetic_, arguments_.leaves);
}

std::vector<c10::IValue> SeededRun::forward(const Callable& function) {
    seedRandom(options_.seed);
    const ArithmeticScope scope(arithmetic_, options_);
    return function(arguments_.leaves);
}

BackwardStart SeededRun::startOf(const std::vector<c10::IValue>& outputs) const {
    return options_.inference ? BackwardStart{} : modelRun_.startOf(outputs);
}

void SeededRun::backward(const std::function<void()>& run) {
    const ArithmeticScope scope(arithmetic_.ofBackward(), options_);
    run();
}

void measureNoise(NoiseEstimate& estimate, const NamedRun& run, const Callable& program,
                  const std::function<NamedTensors()>& still, const CompiledFunction& compiled) {
    estimate.measure(true, still, [&](const Arithmetic& as) { return run(program, as); });
    std::shared_ptr<const CompiledFunction> interpreted;
    const Callable graphs = [&](const auto& leaves) { return interpreted->run(leaves, {}); };
    const auto start = [&] {
        interpreted = compiled.interpreted();
        return run(graphs, {});
    };
    estimate.measure(false, start, [&](const Arithmetic& as) { return run(graphs, as); });
}

}  // namespace aotscope
