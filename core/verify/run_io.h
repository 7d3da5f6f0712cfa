#pragma once

#include "verify/seeded_run.h"

namespace aotscope {

/// What goes in and out of one run, as copies: what is written later does not change them.
struct RunIO {
    std::vector<c10::IValue> outputs;
    std::vector<c10::IValue> inputs;    ///< after the forward
    std::vector<at::Tensor> gradients;  ///< of every input as it was before the forward; undefined where there is none
};

/// The SeededRun of `function`.
RunIO recordRunIO(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes, const Callable& function,
                  const Arithmetic& arithmetic = {});

/// Detached copies of `values` that share memory among each other as the originals do.
std::vector<c10::IValue> copyValues(const std::vector<c10::IValue>& values);

}  // namespace aotscope
