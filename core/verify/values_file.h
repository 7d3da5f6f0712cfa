#pragma once

#include "verify/model_run.h"

#include <string>

namespace aotscope {

/// The bytes of a file for torch.load: what one seeded run of `function` returns, as a tuple (outputs, gradients). The
/// gradients are those of the inputs in order, None where there is none. For what stands for some dtypes see
/// loadable.h.
std::string valuesFile(const ModelRun& modelRun, const CompiledFunction& function, const Options& options);

}  // namespace aotscope
