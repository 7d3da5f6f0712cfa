#pragma once

#include "load/torchscript/script_definitions.h"

namespace aotscope {

/// Throws Error (a clause without the file's name) for code with huge nested tuples: LibTorch compares their types part
/// by part, and forty levels of pairs take forever.
void requireSmallTypes(const ScriptDefinitions& code);

}  // namespace aotscope
