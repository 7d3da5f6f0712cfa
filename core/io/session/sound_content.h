#pragma once

#include "io/session/content.h"

namespace aotscope {

/// Checks what the pipeline guarantees and a file does not: that required graphs exist, and that indices of inputs,
/// outputs and vertices are valid. Throws Error otherwise.
void requireSound(const SessionContent& content);
/// The same for what is known of operations.
void requireSound(const OperatorCosts& costs);

}  // namespace aotscope
