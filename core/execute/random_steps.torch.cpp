#include "execute/random_steps.h"

#include "aten/random_state.h"

namespace aotscope {

namespace {

class RngState final : public StepKernel {
public:
    explicit RngState(c10::Device device) : device_(device) {}
    void call(torch::jit::Stack& stack) const override { stack.assign(1, generatorState(device_)); }

private:
    c10::Device device_;
};

class DrawAgain final : public StepKernel {
public:
    DrawAgain(const c10::OperatorHandle& op, c10::Device device) : op_(op), device_(device) {}
    void call(torch::jit::Stack& stack) const override {
        const at::Tensor state = torch::jit::pop(stack).toTensor();
        const RandomStateGuard before;
        setGeneratorState(device_, state);
        op_.callBoxed(stack);
    }

private:
    c10::OperatorHandle op_;
    c10::Device device_;
};

}  // namespace

std::shared_ptr<const StepKernel> rngStateKernel(c10::Device device) { return std::make_shared<RngState>(device); }

std::shared_ptr<const StepKernel> drawAgainKernel(const c10::OperatorHandle& op, c10::Device device) {
    return std::make_shared<DrawAgain>(op, device);
}

}  // namespace aotscope
