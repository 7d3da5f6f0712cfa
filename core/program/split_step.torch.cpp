#include "program/split_step.h"

#include "aten/random_state.h"
#include "program/joint_function.h"
#include "support/error.h"

namespace aotscope {

namespace {

thread_local const StepSplitter* threadSplitter = nullptr;

c10::Device deviceOf(const TensorVector& tensors) { return tensors.empty() ? c10::kCPU : tensors.front().device(); }

/// A step that also returns the RNG state before it.
class StepWithState final : public SubgraphFunction {
public:
    explicit StepWithState(c10::IValue step) : step_(std::move(step)) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(step_)->locations();
    }
    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        const at::Tensor state = generatorState(deviceOf(operands));
        TensorVector results = subgraphFunction(step_)->run(operands, sink);
        results.push_back(state);
        return results;
    }

private:
    c10::IValue step_;
};

/// (operands of the step, the RNG state before it, tangents) -> a gradient for every operand. Recomputation draws the
/// same random numbers.
class BackwardWithState final : public SubgraphFunction {
public:
    /// `joint` takes the same without the state, which follows `operands` others.
    BackwardWithState(c10::IValue joint, std::size_t operands) : joint_(std::move(joint)), operands_(operands) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(joint_)->locations();
    }
    TensorVector run(const TensorVector& given, LocationSink* sink) const override {
        TensorVector others = given;
        check(given.size() > operands_, "a step is differentiated with its RNG state");
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(operands_));
        const RandomStateGuard now;
        setGeneratorState(deviceOf(others), given[operands_]);
        return subgraphFunction(joint_)->run(others, sink);
    }

private:
    c10::IValue joint_;
    std::size_t operands_;
};

}  // namespace

StepSplitterScope::StepSplitterScope(const StepSplitter* splitter) : outer_(threadSplitter) {
    threadSplitter = splitter;
}
StepSplitterScope::~StepSplitterScope() { threadSplitter = outer_; }

SplitStep splitStep(const c10::IValue& step, const std::vector<TensorShape>& operands, const std::vector<bool>& wanted,
                    bool real) {
    if (threadSplitter) return threadSplitter->split(step, operands, wanted);
    SplitStep split;
    auto joint = toIValue(c10::make_intrusive<JointFunction>(step, operands.size(), wanted));
    for (std::size_t i = 0; i < operands.size(); ++i) split.saved.emplace_back(i);
    if (!real) {
        split.forward = step;
        split.backward = std::move(joint);
        return split;
    }
    split.forward = toIValue(c10::make_intrusive<StepWithState>(step));
    split.backward = toIValue(c10::make_intrusive<BackwardWithState>(std::move(joint), operands.size()));
    split.saved.emplace_back();  // the RNG state
    return split;
}

}  // namespace aotscope
