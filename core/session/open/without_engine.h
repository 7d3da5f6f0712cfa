#pragma once

#include "session/engine.h"

namespace aotscope {

/// What takes the place of an engine that is missing for this reason, a sentence. Opens session files, graphs printed
/// by Python, folders of them and TORCH_TRACE logs: their graphs are drawn, searched, compared and split, but do not
/// run here. Estimates are for a common machine. All else throws Error with the reason.
std::shared_ptr<const Engine> missingEngine(std::string why);

}  // namespace aotscope
