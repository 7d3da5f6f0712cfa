#pragma once

#include "verify/judge/rounding_noise.h"
#include "verify/model_run.h"

#include <ATen/core/grad_mode.h>

#include <functional>

namespace aotscope {

/// One run on fresh arguments, with the RNG state of the options' seed and gradients according to the options, forward
/// and backward in this arithmetic.
class SeededRun {
public:
    SeededRun(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
              const Arithmetic& arithmetic);

    const RunArguments& arguments() const { return arguments_; }
    /// Call first.
    std::vector<c10::IValue> forward(const Callable& function);
    /// The start of a backward from `outputs`; nothing without gradients.
    BackwardStart startOf(const std::vector<c10::IValue>& outputs) const;
    void backward(const std::function<void()>& run);

private:
    const ModelRun& modelRun_;
    const Options& options_;
    Arithmetic arithmetic_;
    RunArguments arguments_;
    at::AutoGradMode grad_;
};

/// The values of a run of `function`.
using NamedRun = std::function<NamedTensors(const Callable& function, const Arithmetic& arithmetic)>;

/// Measures `program`, which has these values in its own arithmetic, and then the graphs of `compiled`.
void measureNoise(NoiseEstimate& estimate, const NamedRun& run, const Callable& program,
                  const std::function<NamedTensors()>& still, const CompiledFunction& compiled);

}  // namespace aotscope
