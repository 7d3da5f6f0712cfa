#pragma once

#include "support/confinement.h"

namespace aotscope {

/// Confines the calling thread, for ever, and threads that it starts from now on. Returns what took hold.
Confinement confineThread();

}  // namespace aotscope
