#pragma once

#include "load/printed/log_index.h"

namespace aotscope {

/// A kind for a graph without a heading, by what it computes. Its placeholders get roles.
PrintedKind guessKind(PrintedModule& module);

/// Gives graphs without a heading a kind by what they compute, and puts those that belong together into one
/// compilation.
void resolveUnknown(LogIndex& index);

}  // namespace aotscope
