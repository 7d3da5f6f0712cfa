#pragma once

#include "support/confinement.h"

namespace aotscope {

/// Confines the calling thread permanently, and all threads that it starts from now on. Returns what is in effect.
Confinement confineThread();

}  // namespace aotscope
