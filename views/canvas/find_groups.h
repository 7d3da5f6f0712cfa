#pragma once

#include "canvas/groups.h"

namespace aotscope {

/// The modules of `graph` as nested groups, with their boxes.
GroupTree findGroups(const DrawnGraph& graph);

}  // namespace aotscope
