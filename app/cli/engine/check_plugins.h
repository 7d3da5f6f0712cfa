#pragma once

#include "record/options/options.h"

namespace aotscope {

/// Throws UsageError for unknown compilers and settings, and for plug-ins that cannot be used.
void checkPlugins(const Options& options);

}  // namespace aotscope
