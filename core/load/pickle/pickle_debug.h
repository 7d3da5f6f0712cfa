#pragma once

#include "load/pickle/pickle_values.h"

namespace aotscope {

/// Checks the values of a ".debug_pkl": (offset in the code, (source, start, end), ...) for each operation, where a
/// source consists of entries of a string table, or is itself a string in old files. LibTorch uses these numbers
/// unchecked. Throws Error (a clause).
void requireSoundPlaces(const PickledValues& values, PickledValue::Index root);

}  // namespace aotscope
