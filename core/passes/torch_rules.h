#pragma once

#include "load/printed/graph_rules.h"

namespace aotscope {

/// LibTorch's rules.
const GraphRules& torchRules();

}  // namespace aotscope
