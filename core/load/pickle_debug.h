#pragma once

#include "load/pickle_values.h"

namespace aotscope {

/// Checks the values of a ".debug_pkl": (offset in the code, (source, start, end), ...) for each operation, where a
/// source is made of texts of a table, or in old files a text itself. LibTorch uses all these numbers as they are.
/// Throws Error (a clause).
void requireSoundPlaces(const PickledValues& values, PickledValue::Index root);

}  // namespace aotscope
