#pragma once

#include "verify/model_run.h"

#include <string>

namespace aotscope {

/// The bytes of a file for torch.load: the results of one seeded run of `function`, as a tuple (outputs, gradients).
/// The gradients are those of the inputs in order, or None. For unsupported dtypes, see loadable.h.
std::string valuesFile(const ModelRun& modelRun, const CompiledFunction& function, const Options& options);

}  // namespace aotscope
