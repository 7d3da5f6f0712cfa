#pragma once

#include "aten/autocast.h"
#include "record/options/options.h"

#include <memory>

namespace aotscope {

/// The autocast that the options ask for, on the calling thread for the result's lifetime; null: that of the caller.
/// Casts are not kept between operations, as traces keep none.
std::unique_ptr<AutocastScope> modelAutocast(const Options& options);

}  // namespace aotscope
