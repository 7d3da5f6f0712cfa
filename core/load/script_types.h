#pragma once

#include "load/script_definitions.h"

namespace aotscope {

/// Throws Error (a clause without the file's name) for code with tuples of tuples that have no end: LibTorch compares
/// their types part by part, so that forty pairs of pairs keep it busy for ever.
void requireSmallTypes(const ScriptDefinitions& code);

}  // namespace aotscope
