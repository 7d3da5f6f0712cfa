#pragma once

#include "record/options.h"

namespace aotscope {

/// The limits of loading and tracing with `options`: those that the user has set, else what follows from the sizes of
/// the model's files and of the inputs. Nothing limits the memory of a sample, which makes its weights itself.
Limits limitsFor(const Options& options);

}  // namespace aotscope
