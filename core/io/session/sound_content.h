#pragma once

#include "io/session/content.h"

namespace aotscope {

/// Checks what the pipeline guarantees and a file need not: that graphs are where they must be, and that numbers of
/// inputs, outputs and vertices exist. Throws Error otherwise.
void requireSound(const SessionContent& content);

}  // namespace aotscope
