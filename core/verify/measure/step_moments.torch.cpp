#include "verify/measure/step_moments.h"

#include "aten/random_state.h"
#include "runtime/compiled_function.h"
#include "verify/measure/runner.h"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace aotscope {

namespace {

/// Only the last one counts: the others fill caches, and synchronize the ranks.
constexpr int kRuns = 2;

std::int64_t monotonicNow() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class MomentObserver final : public StepObserver {
public:
    MomentObserver(const std::function<std::chrono::nanoseconds()>& waited, c10::Device device)
        : waited_(waited), device_(device) {}

    void arguments(c10::ArrayRef<c10::IValue>) override {
        steps_.clear();
        awaitDevice();
        last_ = monotonicNow();
        lastWaited_ = waited_().count();
    }
    void before(std::size_t) override {}
    void after(std::size_t step) override {
        awaitDevice();
        const std::int64_t begin = std::exchange(last_, monotonicNow());
        const std::int64_t waited = waited_().count();
        steps_.emplace_back(step, StepMoment{{}, {}, begin, last_, waited - std::exchange(lastWaited_, waited)});
    }

    void addTo(std::vector<StepMoment>& all, GraphKind graph, const std::vector<NodeId>& nodes) const {
        for (auto [step, moment] : steps_) {
            moment.graph = graph;
            moment.node = nodes.at(step);
            all.push_back(moment);
        }
    }

private:
    /// A step includes its work on the current stream; collectives of GPUs run beside it.
    void awaitDevice() const {
        if (device_.is_cpu()) return;
        const c10::impl::VirtualGuardImpl guard(device_.type());
        guard.synchronizeStream(guard.getStream(device_));
    }

    const std::function<std::chrono::nanoseconds()>& waited_;
    c10::Device device_;
    std::vector<std::pair<std::size_t, StepMoment>> steps_;
    std::int64_t last_ = 0, lastWaited_ = 0;
};

}  // namespace

std::vector<StepMoment> stepMoments(const ModelRun& modelRun, const CompiledFunction& compiled,
                                    const CompileRecord& record, const Options& options,
                                    const std::function<std::chrono::nanoseconds()>& waited) {
    const RandomStateGuard kept;
    const c10::Device device(options.device);
    MomentObserver forward(waited, device), backward(waited, device);
    Runner runner(modelRun, options, [&](const auto& leaves) {
        return compiled.run(leaves, {&forward, &backward, nullptr});
    });
    bool ranBackward = false;
    for (int i = 0; i < kRuns; ++i) ranBackward = runner.iterate().ranBackward;
    std::vector<StepMoment> moments;
    forward.addTo(moments, executedGraphs(record).front(), compiled.forward().steps());
    if (ranBackward) backward.addTo(moments, GraphKind::backward, compiled.backward().steps());
    return moments;
}

}  // namespace aotscope
