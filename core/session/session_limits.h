#pragma once

#include "record/options/options.h"

namespace aotscope {

/// The limits of loading and tracing with `options`: the user's, or else derived from the sizes of the model's files
/// and of the inputs. The memory of a sample is unlimited, since it makes its own weights.
Limits limitsFor(const Options& options);

}  // namespace aotscope
