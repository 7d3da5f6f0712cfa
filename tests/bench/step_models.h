#pragma once

#include "load/model.h"

#include <array>
#include <string>

namespace aotscope {

/// The models whose training steps are measured: samples, and small ones of the benchmark. peer_models.py has the same
/// ones for Python.
inline constexpr std::array kStepModels = {"resnet18", "resnet50", "gpt2",       "bert", "mobilenet",
                                           "mlp",      "chain",    "layer-norm", "gelu", "softmax"};

/// In training mode, with its example inputs.
Model stepModel(const std::string& name);

/// `length` pointwise operations on one number, one after the other: only reaching the kernels takes time.
Model chainOfNumbers(int length);

}  // namespace aotscope
