#include "program/split_step.h"

#include "program/joint_function.h"

namespace aotscope {

namespace {

thread_local const StepSplitter* threadSplitter = nullptr;

}  // namespace

StepSplitterScope::StepSplitterScope(const StepSplitter* splitter) : outer_(threadSplitter) {
    threadSplitter = splitter;
}
StepSplitterScope::~StepSplitterScope() { threadSplitter = outer_; }

SplitStep splitStep(const c10::IValue& step, const std::vector<TensorShape>& operands,
                    const std::vector<bool>& wanted) {
    if (threadSplitter) return threadSplitter->split(step, operands, wanted);
    SplitStep split;
    split.forward = step;
    split.backward = toIValue(c10::make_intrusive<JointFunction>(step, operands.size(), wanted));
    for (std::size_t i = 0; i < operands.size(); ++i) split.saved.emplace_back(i);
    return split;
}

}  // namespace aotscope
