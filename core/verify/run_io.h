#pragma once

#include "verify/seeded_run.h"

namespace aotscope {

/// Copies of the inputs and outputs of one run, which later writes do not change.
struct RunIO {
    std::vector<c10::IValue> outputs;
    std::vector<c10::IValue> inputs;    ///< after the forward
    std::vector<at::Tensor> gradients;  ///< of every input before the forward; undefined if it has none
};

/// The SeededRun of `function`.
RunIO recordRunIO(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes, const Callable& function,
                  const Arithmetic& arithmetic = {});

/// Detached copies of `values` that share memory like the originals.
std::vector<c10::IValue> copyValues(const std::vector<c10::IValue>& values);

}  // namespace aotscope
