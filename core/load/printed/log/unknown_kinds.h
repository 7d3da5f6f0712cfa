#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/parser.h"

namespace aotscope {

/// A kind for a graph without a heading, by what it computes. Its placeholders get roles.
PrintedKind guessKind(PrintedModule& module);

/// Finds the kind of graphs without heading from what they compute, and groups related ones into compilations.
void resolveUnknown(LogIndex& index);

}  // namespace aotscope
