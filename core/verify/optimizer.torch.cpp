#include "verify/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace aotscope {

namespace {

/// Treats complex numbers as pairs of real ones.
at::Tensor asReal(const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_complex() ? at::view_as_real(tensor) : tensor;
}

class Sgd final : public Optimizer {
public:
    Sgd(double rate, std::vector<at::Tensor> parameters) : rate_(rate), parameters_(std::move(parameters)) {}

    void step(const std::vector<at::Tensor>& gradients) override {
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < parameters_.size(); ++i)
            if (gradients[i].defined()) parameters_[i].sub_(gradients[i], rate_);
    }

private:
    double rate_;
    std::vector<at::Tensor> parameters_;
};

class Adam final : public Optimizer {
public:
    Adam(double rate, const std::vector<at::Tensor>& parameters) : rate_(rate) {
        const at::NoGradGuard noGrad;
        for (const at::Tensor& parameter : parameters) {
            const at::Tensor real = asReal(parameter.detach());
            entries_.push_back({real, at::zeros_like(real), at::zeros_like(real), 0});
        }
    }

    void step(const std::vector<at::Tensor>& gradients) override {
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (gradients[i].defined()) move(entries_[i], asReal(gradients[i]));
    }

private:
    struct Entry {
        at::Tensor parameter, mean, square;
        int steps;
    };

    void move(Entry& entry, const at::Tensor& gradient) const {
        constexpr double meanBeta = 0.9, squareBeta = 0.999, epsilon = 1e-8;
        ++entry.steps;
        entry.mean.lerp_(gradient, 1 - meanBeta);
        entry.square.mul_(squareBeta).addcmul_(gradient, gradient, 1 - squareBeta);
        const double meanScale = 1 - std::pow(meanBeta, entry.steps);
        const double squareScale = std::sqrt(1 - std::pow(squareBeta, entry.steps));
        entry.parameter.addcdiv_(entry.mean, entry.square.sqrt().div_(squareScale).add_(epsilon), -rate_ / meanScale);
    }

    double rate_;
    std::vector<Entry> entries_;
};

}  // namespace

std::unique_ptr<Optimizer> makeOptimizer(const TrainOptions& options, const std::vector<at::Tensor>& parameters) {
    if (options.optimizer == OptimizerKind::adam) return std::make_unique<Adam>(options.rate, parameters);
    return std::make_unique<Sgd>(options.rate, parameters);
}

}  // namespace aotscope
