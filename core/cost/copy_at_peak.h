#pragma once

#include "record/compile_record.h"

#include <cstdint>
#include <string>

namespace aotscope {

/// Copies of fewer bytes are not worth a warning.
inline constexpr std::int64_t kLargeCopy = 1 << 20;

/// The copy at which live memory has its peak, if nothing uses the original afterwards and the copy has the same
/// layout: one sentence, with its place in the model. Empty if the peak is elsewhere.
std::string copyAtPeak(const CompileRecord& record);

}  // namespace aotscope
