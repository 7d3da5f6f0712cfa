#pragma once

#include "aten/autocast.h"
#include "record/options/options.h"

#include <memory>

namespace aotscope {

/// The autocast of the options on the calling thread for the result's lifetime; null: that of the caller. Casts are not
/// cached between operations, as in traces.
std::unique_ptr<AutocastScope> modelAutocast(const Options& options);

}  // namespace aotscope
