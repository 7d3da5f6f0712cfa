#pragma once

#include "record/options/options.h"

namespace aotscope {

/// The limits of loading and tracing with `options`: the user's, or derived from the sizes of the model's files and of
/// the inputs. A sample has no memory limit, since it creates its own weights.
Limits limitsFor(const Options& options);

}  // namespace aotscope
