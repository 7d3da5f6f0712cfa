#pragma once

#include "record/compile_record.h"

#include <string>

namespace aotscope {

/// The copy at which live memory has its peak, if nothing uses the original afterwards and the copy has the same
/// layout: one sentence, with its place in the model. Empty if the peak is elsewhere.
std::string copyAtPeak(const CompileRecord& record);

}  // namespace aotscope
