#pragma once

#include "verify/judge/random_rules.h"

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Floating-point operations compute in float64: narrower tensors among their arguments are converted, as are their
/// results, and where they name a narrower dtype, they get float64. Random numbers are drawn in float32 and stay the
/// same. What cannot be computed in float64 throws.
///
/// This is the reference for rounding errors: the distance of a run from it is what the run's own dtypes lose.
class WideRun final : public RandomRulesHandler {
public:
    using RandomRulesHandler::RandomRulesHandler;
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
};

/// Whether `tensor` holds floating-point or complex numbers narrower than float64.
bool isNarrow(const at::Tensor& tensor);

/// `tensor` in float64, or complex of such, with its strides unless they leave gaps; itself if it is no narrow tensor.
at::Tensor widened(const at::Tensor& tensor);

}  // namespace aotscope
