#include "verify/seeded_run.h"

#include "aten/random_state.h"

namespace aotscope {

SeededRun::SeededRun(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
                     std::optional<std::uint64_t> noise)
    : modelRun_(modelRun),
      options_(options),
      noise_(noise),
      arguments_(modelRun.arguments(/*ownState=*/true, sizes)),
      grad_(!options.inference) {}

std::vector<c10::IValue> SeededRun::forward(const Callable& function) {
    seedRandom(options_.seed);
    std::optional<RoundingNoise> scope;
    if (noise_) scope.emplace(options_, *noise_);
    return function(arguments_.leaves);
}

BackwardStart SeededRun::startOf(const std::vector<c10::IValue>& outputs) const {
    return options_.inference ? BackwardStart{} : modelRun_.startOf(outputs);
}

void SeededRun::backward(const std::function<void()>& run) {
    std::optional<RoundingNoise> scope;
    if (noise_) scope.emplace(options_, ~*noise_);
    run();
}

void measureNoise(NoiseEstimate& estimate, const NamedRun& run, const Callable& program,
                  const std::function<NamedTensors()>& still, const CompiledFunction& compiled) {
    estimate.measure(true, still, [&](std::uint64_t seed) { return run(program, seed); });
    std::shared_ptr<const CompiledFunction> interpreted;
    const Callable graphs = [&](const auto& leaves) { return interpreted->run(leaves, {}); };
    const auto start = [&] {
        interpreted = compiled.interpreted();
        return run(graphs, std::nullopt);
    };
    estimate.measure(false, start, [&](std::uint64_t seed) { return run(graphs, seed); });
}

}  // namespace aotscope
