#pragma once

#include "window/controllers.h"

namespace aotscope {

/// Adds every page of the window, and sizes the docks.
void addPages(Workbench& bench, const Controllers& controllers);

}  // namespace aotscope
