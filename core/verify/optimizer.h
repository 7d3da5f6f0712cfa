#pragma once

#include "record/results/train_result.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace aotscope {

/// Updates parameters from their gradients.
class Optimizer {
public:
    virtual ~Optimizer() = default;
    /// One gradient for each parameter; undefined: the parameter is not changed.
    virtual void step(const std::vector<at::Tensor>& gradients) = 0;
};

/// The optimizer of `options` with PyTorch's defaults: no momentum for SGD, betas 0.9 and 0.999 for Adam.
std::unique_ptr<Optimizer> makeOptimizer(const TrainOptions& options, const std::vector<at::Tensor>& parameters);

}  // namespace aotscope
