#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/parser.h"

namespace aotscope {

/// Guesses the kind of a graph without a heading from what it computes. Sets the roles of its placeholders.
PrintedKind guessKind(PrintedModule& module);

/// Guesses the kinds of graphs without a heading from what they compute, and groups related ones into compilations.
void resolveUnknown(LogIndex& index);

}  // namespace aotscope
