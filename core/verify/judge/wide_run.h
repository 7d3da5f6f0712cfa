#pragma once

#include "verify/judge/random_rules.h"

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Computes floating-point operations in float64: converts narrower tensors among their arguments and results, and
/// replaces narrower dtypes in arguments. Random numbers are drawn in float32 and do not change. Throws for operations
/// without float64.
///
/// This is the reference for rounding errors: the distance of a run from it is the loss of the run's own dtypes.
class WideRun final : public RandomRulesHandler {
public:
    using RandomRulesHandler::RandomRulesHandler;
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
};

/// Whether `tensor` holds floating-point or complex numbers narrower than float64.
bool isNarrow(const at::Tensor& tensor);

/// `tensor` in float64 or complex128, with its strides unless they have gaps; itself if it is not narrow.
at::Tensor widened(const at::Tensor& tensor);

}  // namespace aotscope
