#pragma once

#include "support/confinement.h"

namespace aotscope {

/// Confines the calling thread permanently, with all threads that it starts from now on. Returns what took effect.
Confinement confineThread();

}  // namespace aotscope
